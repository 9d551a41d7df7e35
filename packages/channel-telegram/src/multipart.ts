import { randomBytes } from "node:crypto"
import type { OutboundFile } from "@parley/core"
import { Effect, Stream } from "effect"

/** A file of a call, in the field of this name. */
export interface Upload extends Pick<OutboundFile, "bytes" | "contentType"> {
  readonly field: string
  /** Telegram takes a part without a name for a text. */
  readonly fileName: string
}

/** A body of the type `multipart/form-data`, with one file at its end. */
export interface Multipart {
  readonly contentType: string
  readonly bytes: Stream.Stream<Uint8Array, unknown>
  /** Whether all of the file was read. Until then, no vendor can have a complete request. */
  readonly isComplete: () => boolean
}

/** The body of a call with a file, for one use. Values other than texts are sent as JSON. */
export const multipart = (parameters: object, { bytes, contentType, field, fileName }: Upload): Multipart => {
  const boundary = `parley-${randomBytes(16).toString("hex")}`
  const texts = Object.entries(parameters).map(
    ([name, value]) =>
      `${opening(boundary, name)}\r\n\r\n${typeof value === "string" ? value : JSON.stringify(value)}\r\n`
  )
  const file = `${opening(boundary, field)}; filename="${quotable(fileName)}"\r\nContent-Type: ${contentType}\r\n\r\n`
  let complete = false
  const end = Effect.sync(() => {
    complete = true
    return Buffer.from(`\r\n--${boundary}--\r\n`)
  })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Stream.make(Buffer.from(texts.join("") + file)).pipe(
      Stream.concat(bytes),
      Stream.concat(Stream.fromEffect(end))
    ),
    isComplete: () => complete
  }
}

const opening = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${quotable(name)}"`

/** As browsers write names: RFC 7578 leaves it open. */
const quotable = (name: string): string => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
