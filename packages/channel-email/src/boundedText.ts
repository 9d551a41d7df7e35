import { addAbortSignal, PassThrough, pipeline, Readable, Transform } from "node:stream"
import { Joiner, type MimeNode, Splitter } from "@zone-eu/mailsplit"

/**
 * Maximum length of the text of a mail, in bytes as sent. The parser converts the text of a mail at once: 8 MB of it
 * stop the event loop for up to four seconds. Messages are cut at 100,000 characters in any case.
 */
export const maxTextBytes = 1_048_576

/** Factor by which each byte of a part counts: the converters of these charsets and of flowed text are slow. */
const costOf = ({ charset, flowed }: MimeNode): number => (/^jis|^iso-?2022/i.test(charset || "") ? 8 : flowed ? 2 : 1)

/** Bytes that are passed on at a time: in between, the parser returns to the event loop. */
const chunkBytes = 65_536

/**
 * The bytes of a mail, with the text beyond {@link maxTextBytes} left out; attached files are whole. Ends early if the
 * signal is aborted. Fails if the mail exceeds the limits of the splitter.
 */
export const boundedText = (
  raw: Uint8Array,
  limits: { readonly maxHeadSize: number; readonly maxChildNodes: number },
  signal: AbortSignal
): Readable => {
  let left = maxTextBytes
  const cut = new Transform({
    objectMode: true,
    transform: (part: Part, _encoding, done) => {
      if (part.type !== "body" || !isText(part.node)) return done(null, part)
      const cost = costOf(part.node)
      const value = part.value.subarray(0, Math.floor(left / cost))
      left -= value.length * cost
      done(null, { ...part, value })
    }
  })
  const source = addAbortSignal(signal, Readable.from(chunksOf(raw), { objectMode: false }))
  const bytes = new PassThrough()
  // An error destroys `bytes`, whose reader reports it.
  pipeline(source, new Splitter(limits), cut, new Joiner(), bytes, () => {})
  return bytes
}

type Part =
  | { readonly type: "body"; readonly node: MimeNode; readonly value: Buffer }
  | { readonly type: "node" | "data" }

/** Whether the parser makes text of the part, and not a file. */
const isText = ({ contentType, disposition, root }: MimeNode): boolean =>
  ["text/plain", "text/html"].includes(contentType || (root ? "text/plain" : "")) &&
  (!disposition || disposition === "inline")

function* chunksOf(raw: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
