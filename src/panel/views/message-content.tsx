/** Content of a message: text, images that are all there, and the name of everything else. Nothing is ever fetched. */
import { partsOf } from '../state/message.ts';

export function Content({ content }: { content: unknown }) {
  const parts = partsOf(content);
  return (
    <>
      {parts.map((part, i) => {
        if (part.kind === 'text')
          return parts.length === 1 ? (
            part.text
          ) : (
            <span key={i} class="block" dir="auto">
              {part.text}
            </span>
          );
        if (part.kind === 'image') return <img key={i} class="part-image" src={part.src} alt={part.name} title={part.name} />;
        return (
          <span key={i} class="part-named">
            <b>{part.what}</b> <bdi>{part.where}</bdi>
          </span>
        );
      })}
    </>
  );
}
