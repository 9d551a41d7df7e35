import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"

/** Adds a file with the licenses of the packages in the bundle, which they demand. */
export const licensesOf = (fileName: string): Plugin => ({
  name: "licenses",
  generateBundle() {
    const folders = [...this.getModuleIds()].flatMap(
      (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []
    )
    const texts = new Set(folders.map(licenseOf))
    this.emitFile({ type: "asset", fileName, source: [...texts].sort().join("\n\n") })
  }
})

const licenseOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  return [`${name} ${version} (${license})`, ...texts].join("\n\n")
}
