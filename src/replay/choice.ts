/** Which events a plan chooses, and the words for one that is not there. */
import type { Change, EventChoice, Place } from './plan.ts';

export function isByte(place: Place): place is { readonly byte: number } {
  return typeof place === 'object' && 'byte' in place;
}

/** The event that a change waits for; null for one that holds for all bytes or begins at one. */
export function choiceOf(change: Change): EventChoice | null {
  switch (change.do) {
    case 'answer':
      return null;
    case 'cut':
    case 'stall':
      return eventOf(change.after);
    case 'delay':
      return eventOf(change.from);
    case 'slow':
      return change.from === undefined ? null : eventOf(change.from);
    case 'split':
      return 'event' in change ? change.event : null;
    case 'insert':
      return 'before' in change ? change.before : change.after;
    default:
      return change.event;
  }
}

function eventOf(place: Place): EventChoice | null {
  return isByte(place) ? null : place;
}

/** Whether only a stream that is over can tell which event it is. */
export function isFromEnd(choice: EventChoice | null): boolean {
  return typeof choice === 'object' && choice !== null && (choice.nth ?? 1) < 0;
}

/** `choice` on a stream with so many events of each type: a choice from the end becomes one from the start where there is such an event. */
export function fromStart(choice: EventChoice, types: ReadonlyMap<string, number>): EventChoice {
  if (typeof choice === 'number') return choice;
  const { type, nth = 1 } = choice;
  const counted = nth > 0 ? nth : (types.get(type) ?? 0) + 1 + nth;
  return counted > 0 ? { type, nth: counted } : choice;
}

/** Why a choice met no event: `there is no event 12, the stream had 5`. */
export function choiceWords(choice: EventChoice, events: number, types: ReadonlyMap<string, number>): string {
  if (typeof choice === 'number') return `there was no event ${choice}, only ${events} of them (counted from 0)`;
  const there = types.get(choice.type) ?? 0;
  const nth = choice.nth ?? 1;
  if (there === 0) return `there was no ${choice.type}`;
  if (nth < 0 && there >= -nth) return `which ${choice.type} is number ${nth} from the end is not known while the stream runs`;
  return `there ${there === 1 ? 'was only one' : `were only ${there}`} ${choice.type}, not ${Math.abs(nth)}`;
}
