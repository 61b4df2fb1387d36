export { applyResult, createModel, type Model, noteFinding, type RunNumbers } from './model.ts';
