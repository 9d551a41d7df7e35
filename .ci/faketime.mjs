// Brings Debian's libfaketime, which no npm package has, to node_modules/.cache, where apt has it. It needs no root.
// Without it, `npm run chaos` does not step clocks.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"

const folder = resolve("node_modules/.cache/faketime")
const run = (command, ...given) => spawnSync(command, given, { cwd: folder, encoding: "utf8" })
if (process.platform === "linux" && !existsSync(join(folder, "usr"))) {
  mkdirSync(folder, { recursive: true })
  if (run("apt-get", "download", "libfaketime").status === 0) {
    for (const file of readdirSync(folder)) if (file.endsWith(".deb")) run("dpkg-deb", "--extract", file, ".")
  }
}
