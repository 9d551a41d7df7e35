import type { ServerResponse } from "node:http"
import type { PushClient, PushedBody, PushWriter } from "@parley/core"

/** A class, because thousands of them are open at once. */
class NodeClient implements PushClient {
  private writer: PushWriter | undefined
  constructor(private readonly response: ServerResponse) {}
  open(body: PushedBody): void {
    const { response } = this
    // A response that is closed already emits no more events.
    if (response.destroyed) return
    response.cork()
    // Sends the head as a chunk of its own, which flattens Node's copy of it: its many parts would stay in memory.
    response.flushHeaders()
    this.writer = body.open(this)
    response.on("close", () => this.writer?.closed())
    response.uncork()
  }
  write(text: string): boolean {
    const { response } = this
    // Node would emit an `error` event without a listener, which ends the process.
    if (response.writableEnded) return true
    if (response.write(text)) return true
    response.once("drain", () => this.writer?.drained())
    return false
  }
  end(): void {
    this.response.end()
  }
  destroy(): void {
    this.response.destroy()
  }
}

/** Writes a pushed body to a response whose head is set. Holds no fiber and no reference to the request. */
export const pushNodeBody = (response: ServerResponse, body: PushedBody): void => new NodeClient(response).open(body)
