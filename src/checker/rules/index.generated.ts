/** Every rule of this folder. Made by `node scripts/rule-index.mjs`, as part of each build and test. */
import type { Row } from '../catalogue/rule.ts';
import type { FileCheck, FileExample } from '../rule-file.ts';
import { check as runErrorMessageEmptyCheck, example as runErrorMessageEmptyExample, rule as runErrorMessageEmptyRule } from './run-error-message-empty.ts';
import { check as runWithoutContentCheck, example as runWithoutContentExample, rule as runWithoutContentRule } from './run-without-content.ts';
import { check as streamCustomUnprefixedCheck, example as streamCustomUnprefixedExample, rule as streamCustomUnprefixedRule } from './stream-custom-unprefixed.ts';
import { check as streamRawInsteadOfStandardCheck, example as streamRawInsteadOfStandardExample, rule as streamRawInsteadOfStandardRule } from './stream-raw-instead-of-standard.ts';

export const FILE_RULES: Readonly<Record<string, Row>> = {
  'run-error-message-empty': runErrorMessageEmptyRule,
  'run-without-content': runWithoutContentRule,
  'stream-custom-unprefixed': streamCustomUnprefixedRule,
  'stream-raw-instead-of-standard': streamRawInsteadOfStandardRule,
};

export const FILE_CHECKS: Readonly<Record<string, FileCheck>> = {
  'run-error-message-empty': runErrorMessageEmptyCheck,
  'run-without-content': runWithoutContentCheck,
  'stream-custom-unprefixed': streamCustomUnprefixedCheck,
  'stream-raw-instead-of-standard': streamRawInsteadOfStandardCheck,
};

export const FILE_EXAMPLES: Readonly<Record<string, FileExample>> = {
  'run-error-message-empty': runErrorMessageEmptyExample,
  'run-without-content': runWithoutContentExample,
  'stream-custom-unprefixed': streamCustomUnprefixedExample,
  'stream-raw-instead-of-standard': streamRawInsteadOfStandardExample,
};
