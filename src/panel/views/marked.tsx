/** Text with the filter's word marked. */
export const Marked = ({ text, needle }: { text: string; needle: string }) => {
  if (needle === '') return <>{text}</>;
  const [lower, word] = [text.toLowerCase(), needle.toLowerCase()];
  // lower-casing may change the length of a text; then places do not carry over
  if (lower.length !== text.length || !lower.includes(word)) return <>{text}</>;
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(word); at >= 0 && parts.length < 40; at = lower.indexOf(word, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + word.length)}</mark>);
    from = at + word.length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
};
