// Brings Debian's PgBouncer, which no npm package has, to node_modules/.cache, where apt has it and it is not
// installed. It needs no root. Without it, its tests are skipped.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"

const folder = resolve("node_modules/.cache/pgbouncer")
const run = (command, ...given) => spawnSync(command, given, { cwd: folder, encoding: "utf8" })
const isThere = existsSync("/usr/sbin/pgbouncer") || existsSync(join(folder, "usr/sbin/pgbouncer"))
if (process.platform === "linux" && !isThere) {
  mkdirSync(folder, { recursive: true })
  const { stdout } = run("apt-cache", "depends", "pgbouncer")
  // Minimal systems lack these libraries, whose names differ between releases.
  const libraries = (stdout ?? "").match(/\blib(c-?ares|event)[\w.-]+/g) ?? []
  if (libraries.length > 0 && run("apt-get", "download", "pgbouncer", ...libraries).status === 0) {
    for (const file of readdirSync(folder)) if (file.endsWith(".deb")) run("dpkg-deb", "--extract", file, ".")
  }
}
