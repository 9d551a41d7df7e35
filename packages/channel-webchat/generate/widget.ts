import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** Where the widget is kept, from the repository's root. */
export const widgetFile = "packages/channel-webchat/src/generated/widget.ts"

/** The widget as one script without what it is wrapped in, as a module that holds it. */
export const widgetModule = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../widget/main.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    tsconfigRaw: {}
  })
  const script = outputFiles.map(({ text }) => text.trim()).join("")
  return `// Made by \`npm run generate\` from packages/channel-webchat/widget; change that instead.\n\nexport const widget: string =\n  ${JSON.stringify(script)}\n`
}
