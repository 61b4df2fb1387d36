import type { Plugin } from 'vite';

/**
 * The protobuf encoder is needed by sheets of the panel alone, the decoder also by the worker. Both are one module, and a module has one
 * place in a build: the sheets get a copy of their own, or the worker carries 3 kB (gzipped) that it never runs.
 */
export function encoderApart(): Plugin {
  return {
    name: 'runlens-encoder-apart',
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer) {
      if (source !== '@ag-ui/proto' || !importer || !/\/src\/(export|replay)\//.test(importer.replaceAll('\\', '/'))) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && { ...found, id: `${found.id}?encoder` };
    },
  };
}
