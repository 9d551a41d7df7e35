import type { Writable } from "node:stream"

/**
 * Sends all statements of one event loop iteration with one write, since a socket write costs more than building a
 * statement.
 */
export class Cork {
  private corked = false

  /** Called before each statement of a client of `pg`. */
  hold(client: object): void {
    if (this.corked) return
    const { stream } = (client as { readonly connection?: { readonly stream?: Writable } }).connection ?? {}
    if (stream === undefined) return
    this.corked = true
    stream.cork()
    process.nextTick(() => {
      this.corked = false
      stream.uncork()
    })
  }
}
