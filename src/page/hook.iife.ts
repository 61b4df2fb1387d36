/**
 * MAIN world, document_start, every frame: notes the event streams a page receives, unseen by the page. The build makes one classic
 * script of it (hence the name), exports nothing from it, and gives it a source map that puts it on DevTools' ignore list
 * (scripts/vite-hook-map.ts).
 */
import { hookEventSource } from './event-source.ts';
import { hookFetch } from './fetch.ts';
import { hookWebSocket } from './web-socket.ts';
import { hookXhr } from './xhr.ts';

hookFetch();
hookEventSource();
hookXhr();
hookWebSocket();
