/** The catalogue's texts as the panel words them. */
import { RULES, ruleOf } from '../../checker/catalogue.ts';
import type { Rule } from '../../checker/types.ts';

export { RULES, ruleOf };

/** What `@ag-ui/client` 1.0.0 does with the same mistake. */
export const REFERENCE_WORD: Readonly<Record<Rule['reference'], string>> = {
  rejects: '@ag-ui/client 1.0.0 refuses this too and stops.',
  warns: '@ag-ui/client 1.0.0 warns in the console and goes on.',
  silent: '@ag-ui/client 1.0.0 says nothing.',
};
