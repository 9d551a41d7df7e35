import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { licensesOf } from "../../.ci/licensesOf.js"
import { copySwaggerUi } from "../../.ci/swaggerUi.js"

/**
 * Bundles the command into `dist`, from the folder of this package. A few files load several times faster than the
 * hundreds that they are made of, and a command loads those that it needs. Help pages load none: they are made of
 * `dist/pages.json`.
 */
export const build = async (): Promise<void> => {
  const bundle = await rolldown({
    // The program of the threads that parse mails stands beside the code that starts them.
    input: { main: "src/main.ts", mailThread: "../../packages/channel-email/src/mailThread.ts" },
    platform: "node",
    // Drivers, one of which has native parts.
    external: /^(better-sqlite3|pg|pg-native)(\/|$)/,
    resolve: { conditionNames: ["parley-source", "node", "default"] },
    transform: { target: "node20" },
    plugins: [licensesOf("THIRD-PARTY-LICENSES.txt")]
  })
  const pages = execFileSync(process.execPath, ["--conditions=parley-source", "--import", "tsx", "pages.ts"])
  rmSync("dist", { recursive: true, force: true })
  const { output } = await bundle.write({ dir: "dist", format: "esm", sourcemap: true })
  for (const { fileName } of output) if (fileName.endsWith(".map")) removeSources(join("dist", fileName))
  writeFileSync("dist/pages.json", pages)
  await copySwaggerUi()
}

/**
 * The sources are in this repository and in node_modules. With `--enable-source-maps`, Node reads whole maps at the
 * start.
 */
const removeSources = (map: string): void => {
  const { sourcesContent: _, ...rest } = JSON.parse(readFileSync(map, "utf8"))
  writeFileSync(map, JSON.stringify(rest))
}
