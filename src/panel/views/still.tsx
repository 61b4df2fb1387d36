import { Component, type FunctionComponent } from 'preact';

/**
 * The same component, drawn again only when a prop is another value than before, or a signal it reads changed: for what a list repeats,
 * and for panes under what is drawn with every event. A function made anew at each draw would defeat it.
 */
export function still<Props extends object>(Draw: FunctionComponent<Props>) {
  return class Still extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const [mine, its] = [this.props as Record<string, unknown>, next as Record<string, unknown>];
      return Object.keys(its).some((key) => its[key] !== mine[key]);
    }
    override render() {
      return <Draw {...(this.props as Props)} />;
    }
  };
}
