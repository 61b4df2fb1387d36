/** A row of the events table that is no event: where a client stops, what is missing or failed, a navigation. */
import type { Band } from '../state/list.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { FindingIcon, Icon, StatusIcon } from './icons.tsx';
import { pathOf } from './path.ts';
import { Cell, Row } from './row.tsx';

export function BandRow({ band, id, index }: { band: Band; id: string; index: number }) {
  return (
    <Row
      id={id}
      index={index}
      selected={false}
      cls={`band ${band.kind} ${band.kind === 'stop' ? band.whose : ''}`}
      data-testid="band-row"
      data-band={band.kind}
    >
      <Cell>
        <BandText band={band} />
      </Cell>
    </Row>
  );
}

function BandText({ band }: { band: Band }) {
  const { formats } = usePanel();
  const session = useSession();
  switch (band.kind) {
    case 'stop': {
      const who = band.whose === 'reference' ? '@ag-ui/client stops here.' : 'A conforming client stops here.';
      const both = band.whose === 'both' ? ' @ag-ui/client 1.0.0 does too.' : '';
      return (
        <>
          <FindingIcon mark="violation" />
          <b>{who}</b>
          <span>
            {band.after === 0
              ? 'Nothing came after it.'
              : `${formats.plural(band.after, 'more event of this stream was', 'more events of this stream were')} delivered; kept below.`}
            {both}
          </span>
        </>
      );
    }
    case 'gap':
      return (
        <>
          <FindingIcon mark="deviation" />
          <b>{band.chunks > 0 ? `${formats.plural(band.chunks, 'chunk is', 'chunks are')} missing here.` : 'Something is missing here.'}</b>
          <span>
            {band.bytes > 0 ? `${formats.bytes(band.bytes)} left out: ` : ''}
            {band.why}. Nothing is judged across the gap.
          </span>
        </>
      );
    case 'failure': {
      const connection = session.store.connections[band.conn];
      const cut = (connection?.events ?? 0) > 0;
      return (
        <>
          <StatusIcon status={cut ? 'truncated' : 'failed-by-report'} />
          <b class={cut ? 'st-truncated' : 'st-failed'}>
            {connection?.request?.method ?? 'Request'} {pathOf(connection?.request?.url)} {cut ? 'ended early.' : 'failed.'}
          </b>
          <span>{band.text}</span>
          <button type="button" class="link" tabIndex={-1} onClick={() => session.select({ kind: 'connection', id: band.conn })}>
            Show
          </button>
        </>
      );
    }
    case 'navigation':
      return (
        <>
          <Icon name="site" size={12} />
          <b>Navigated to {pathOf(band.url)}.</b>
          <span>Preserve log is on, so earlier runs stay above.</span>
        </>
      );
  }
}
