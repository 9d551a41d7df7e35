import { fsyncSync, mkdtempSync, openSync, statSync, writeFileSync, writeSync } from "node:fs"
import { changes, row, Storage } from "@parley/core"
import * as Sqlite from "@parley/sqlite"
import { Effect } from "effect"

const dir = mkdtempSync("/tmp/parley-bench-")
const fd = openSync(dir + "/f", "w")
const buf = Buffer.alloc(4096 * 100)
for (let r = 0; r < 3; r++) {
  const t = performance.now()
  for (let i = 0; i < 100; i++) {
    writeSync(fd, buf)
    fsyncSync(fd)
  }
  console.log("fsync of 400k", (performance.now() - t) / 100, "ms")
}
for (let r = 0; r < 3; r++) {
  const t = performance.now()
  for (let i = 0; i < 100; i++) {
    writeSync(fd, buf, 0, 4096)
    fsyncSync(fd)
  }
  console.log("fsync of 4k", (performance.now() - t) / 100, "ms")
}
