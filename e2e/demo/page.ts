/** What both demo pages share: the buttons, and the list of what the app got. */
import type { Scenario } from '../agent/story.ts';

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** One button a scenario, by group. */
export function showButtons(scenarios: readonly Scenario[], press: (scenario: Scenario) => void): void {
  const groups = new Map<string, HTMLElement>();
  for (const scenario of scenarios) {
    let group = groups.get(scenario.group);
    if (!group) {
      group = element('div', '', 'group');
      group.append(element('h2', scenario.group));
      groups.set(scenario.group, group);
    }
    const button = element('button', '', 'scenario');
    button.type = 'button';
    button.dataset['scenario'] = scenario.id;
    button.append(element('b', scenario.title), element('span', scenario.about));
    button.addEventListener('click', () => press(scenario));
    group.append(button);
  }
  byId('scenarios').replaceChildren(...groups.values());
}

export interface Entry {
  got(text: string): void;
  facts(text: string): void;
  /** `reported`: the client resolved, and told of a run that failed by its own report. */
  done(outcome: 'resolved' | 'reported' | 'threw', message: string): void;
}

/** A new line at the top of the list. `data-run` and `data-outcome` are what the specs wait for. */
export function newEntry(scenario: Scenario, runId: string, expected: string): Entry {
  document.querySelector('#log .empty')?.remove();
  const item = element('li');
  item.dataset['run'] = runId;
  item.dataset['outcome'] = 'running';
  const [text, facts, outcome] = [element('p'), element('p', '', 'facts'), element('p', 'Running…', 'outcome')];
  item.append(element('b', scenario.title), text, facts, outcome, element('p', `Runlens should show: ${expected}`, 'expect'));
  document.querySelector('#log ol')!.prepend(item);
  return {
    got: (words) => {
      text.textContent = words.length > 300 ? `…${words.slice(-300)}` : words;
    },
    facts: (words) => {
      facts.textContent = words;
    },
    done: (how, message) => {
      item.dataset['outcome'] = how;
      outcome.dataset['outcome'] = how;
      outcome.textContent = message;
    },
  };
}

/** The expectation in a few words. */
export function expectation({ expected }: ReturnType<Scenario['build']>): string {
  const runs = expected.runs.map((run) => run.status).join(', ') || 'no run';
  return [runs, ...expected.findings.map((finding) => `${finding.rule} at event ${finding.at}`)].join('; ');
}
