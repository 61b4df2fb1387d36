import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, isEventType, kindOf, TYPE_UNKNOWN, typeCode } from './events.ts';

describe('event types', () => {
  it('have a code each, which is their place in the schema, and a kind', () => {
    expect(EVENT_TYPES.map(typeCode)).toEqual(EVENT_TYPES.map((_, code) => code));
    expect(EVENT_TYPES.filter((type) => !isEventType(type) || kindOf(type) === 'unknown')).toEqual([]);
    expect(['STATE_DELTA', 'MESSAGES_SNAPSHOT', 'ACTIVITY_DELTA', 'CUSTOM', 'RAW', 'SUBAGENT_ERROR'].map(kindOf)).toEqual([
      'state',
      'messages',
      'activity',
      'custom',
      'raw',
      'subagent',
    ]);
  });

  it('that AG-UI does not have are unknown', () => {
    for (const type of ['', 'HEARTBEAT', 'run_started', 'toString'])
      expect([typeCode(type), isEventType(type), kindOf(type)]).toEqual([TYPE_UNKNOWN, false, 'unknown']);
  });
});
