import { writeFileSync } from "node:fs"
import { Socket } from "node:net"
import type { Writable } from "node:stream"

const stdout: Writable = process.stdout
// A file: Node's stream writes the part of a text for which an almost full disk has room, and reports no error.
if (!(stdout instanceof Socket)) {
  stdout._write = (chunk, _, done) => {
    try {
      writeFileSync(1, chunk)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
}
