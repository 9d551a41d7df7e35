import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const cache = fileURLToPath(new URL("../../../../node_modules/.cache/faketime", import.meta.url))

/** The path of Debian's libfaketime, as installed or as `.ci/faketime.mjs` downloads it; null without it. */
export const findFaketime = (): string | null => {
  for (const root of ["/", cache]) {
    const libraries = join(root, "usr/lib")
    if (!existsSync(libraries)) continue
    for (const folder of readdirSync(libraries)) {
      const file = join(libraries, folder, "faketime/libfaketimeMT.so.1")
      if (existsSync(file)) return file
    }
  }
  return null
}
