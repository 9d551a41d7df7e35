import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** The command's file, bundled once where it is not up to date. */
export const bundle = (): Promise<string> => {
  built ??= promisify(execFile)(process.execPath, [pathOf("../bundle.mjs")]).then(() => pathOf("../dist/main.js"))
  return built
}

let built: Promise<string> | undefined

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
