// Brings tools that no npm package has from Debian to node_modules/.cache, where apt has them and they are not
// installed. It needs no root. Without a tool, its tests are skipped.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"

/** `libraries`: those that minimal systems lack, whose names differ between releases. */
const tools = [
  { name: "pgbouncer", file: "usr/sbin/pgbouncer", libraries: /\blib(c-?ares|event)[\w.-]+/g },
  { name: "prometheus", file: "usr/bin/promtool", libraries: null }
]

for (const { file, libraries, name } of process.platform === "linux" ? tools : []) {
  const folder = resolve("node_modules/.cache", name)
  if (existsSync(join("/", file)) || existsSync(join(folder, file))) continue
  mkdirSync(folder, { recursive: true })
  const run = (command, ...given) => spawnSync(command, given, { cwd: folder, encoding: "utf8" })
  const { stdout } = run("apt-cache", "depends", name)
  const needed = libraries === null ? [] : ((stdout ?? "").match(libraries) ?? [])
  const isKnown = libraries === null || needed.length > 0
  if (isKnown && run("apt-get", "download", name, ...needed).status === 0) {
    for (const archive of readdirSync(folder)) {
      if (archive.endsWith(".deb")) run("dpkg-deb", "--extract", archive, ".")
    }
  }
}
