import type { OutboundFile } from "@parley/core"
import { Data, Effect, Stream } from "effect"

/** A file of a call, in the field of this name. */
export interface Upload extends Pick<OutboundFile, "bytes" | "contentType"> {
  readonly field: string
  /** Some vendors take a part without a name for a text. */
  readonly fileName: string
  /** In bytes. The request then has a `Content-Length`, which some servers require. Default: not known. */
  readonly size?: number
}

/** A body of the type `multipart/form-data`, with one file at its end. */
export interface Multipart {
  readonly contentType: string
  /** Of the body, in bytes; undefined without the size of the file. */
  readonly contentLength: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, unknown>
  /** Whether all of the file was read. Until then, no vendor can have a complete request. */
  readonly isComplete: () => boolean
}

/** The bytes of a file are not as many as its size. */
class WrongSize extends Data.TaggedError("WrongSize") {}

/**
 * The body of a call with a file, for one use. The file is read while it is sent. Values other than texts are sent as
 * JSON. `boundary` separates the parts: random letters and digits, so that no file contains it.
 */
export const multipart = (
  parameters: object,
  { bytes, contentType, field, fileName, size }: Upload,
  boundary: string
): Multipart => {
  const texts = Object.entries(parameters).map(
    ([name, value]) =>
      `${opening(boundary, name)}\r\n\r\n${typeof value === "string" ? value : JSON.stringify(value)}\r\n`
  )
  const file = `${opening(boundary, field)}; filename="${quotable(fileName)}"\r\nContent-Type: ${contentType}\r\n\r\n`
  const head = Buffer.from(texts.join("") + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  let complete = false
  const end = Effect.sync(() => {
    complete = true
    return tail
  })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: size === undefined ? undefined : head.length + size + tail.length,
    bytes: Stream.make(head).pipe(
      Stream.concat(size === undefined ? bytes : exactly(bytes, size)),
      Stream.concat(Stream.fromEffect(end))
    ),
    isComplete: () => complete
  }
}

/** Fails unless there are `size` bytes: a server would read further ones as the next request of the connection. */
const exactly = <E>(bytes: Stream.Stream<Uint8Array, E>, size: number): Stream.Stream<Uint8Array, E | WrongSize> =>
  Stream.suspend(() => {
    let read = 0
    return Stream.concat(
      Stream.mapEffect(bytes, (chunk) => {
        read += chunk.length
        return read > size ? new WrongSize() : Effect.succeed(chunk)
      }),
      Stream.suspend(() => (read === size ? Stream.empty : Stream.fail(new WrongSize())))
    )
  })

const opening = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${quotable(name)}"`

/** As browsers write names: RFC 7578 leaves it open. */
const quotable = (name: string): string => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
