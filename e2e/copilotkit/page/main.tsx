/**
 * CopilotKit's own chat on a page: `?thread=ID` names the thread it connects to, `&single` takes the single endpoint. The buttons
 * change the thread without a new document.
 */
import '@copilotkit/react-core/v2/styles.css';
import { CopilotChat, CopilotKitCoreRuntimeConnectionStatus, CopilotKitProvider, useCopilotKit, useFrontendTool } from '@copilotkit/react-core/v2';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';

const query = new URLSearchParams(location.search);
const single = query.has('single');
const first = query.get('thread') ?? 'thread';

/** What the agent can have done in the page. */
function Tools() {
  const [colour, setColour] = useState('none');
  useFrontendTool({
    name: 'paint',
    description: 'Paints the page.',
    parameters: z.object({ colour: z.string() }),
    handler: async (args) => {
      setColour(args.colour);
      return `painted ${args.colour}`;
    },
  });
  return <output id="colour">{colour}</output>;
}

/** The chat once the runtime has told what it holds: before that the client may connect, give up and connect again. */
function Chat({ thread }: { readonly thread: string }) {
  const { copilotkit } = useCopilotKit();
  if (copilotkit.runtimeConnectionStatus !== CopilotKitCoreRuntimeConnectionStatus.Connected) return null;
  return <CopilotChat threadId={thread} />;
}

function App() {
  const [thread, setThread] = useState(first);
  return (
    <CopilotKitProvider runtimeUrl={single ? '/api/single' : '/api/rest'} useSingleEndpoint={single} enableInspector={false}>
      <Tools />
      {[first, `${first}-other`].map((name) => (
        <button key={name} type="button" onClick={() => setThread(name)}>
          {name}
        </button>
      ))}
      <Chat thread={thread} />
    </CopilotKitProvider>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
