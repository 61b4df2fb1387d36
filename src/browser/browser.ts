/** The browser's extension interface. The only module that imports the polyfill. */
import browser from 'webextension-polyfill';

export default browser;
