import type { PushClient, PushedBody, PushWriter } from "@parley/core"

const encoder = new TextEncoder()

/** A pushed body as a web stream. It is opened by the first read, and holds at most one chunk that is not read. */
export const pushWebBody = (body: PushedBody): ReadableStream<Uint8Array> => {
  let writer: PushWriter | undefined
  let isOver = false
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, error?: Error): void => {
    if (isOver) return
    isOver = true
    if (error === undefined) controller.close()
    else controller.error(error)
    writer?.closed()
  }
  const clientOf = (controller: ReadableStreamDefaultController<Uint8Array>): PushClient => ({
    write: (text) => {
      if (!isOver) controller.enqueue(encoder.encode(text))
      return (controller.desiredSize ?? 0) > 0
    },
    end: () => finish(controller),
    destroy: () => finish(controller, new Error("The client takes nothing."))
  })
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (writer !== undefined) return writer.drained()
        writer = body.open(clientOf(controller))
        if (isOver) writer.closed()
      },
      cancel: () => {
        isOver = true
        writer?.closed()
      }
    },
    { highWaterMark: 0 }
  )
}
