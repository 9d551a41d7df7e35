import { addAbortSignal, PassThrough, pipeline, Readable, Transform } from "node:stream"
import { type HeaderLine, Headers, Joiner, type MimeNode, Splitter } from "@zone-eu/mailsplit"
import { alternativesAround, type HtmlParts, htmlParts } from "./htmlParts.js"
import { type TextCharsets, textCharsets } from "./textCharsets.js"

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
 * Bytes of the headers of a mail, and of a part, that the parser may see all of. It reads the addresses of 250 kB for
 * half a second.
 */
const maxHead = 16_384
const maxPartHead = 1_024

/** The headers that the parser needs of long ones. */
const parsedHeaders = /^(content-[a-z-]+|subject|date)$/

/**
 * The bytes of a mail without HTML that is an alternative of earlier text, without the text beyond
 * {@link maxTextBytes}, and of long headers without those that make no difference to its text and files; attached files
 * are whole. `html` and `charsets` get its text and HTML. Ends early if the signal is aborted. Fails if the mail
 * exceeds the limits of the splitter.
 */
export const boundedText = (
  raw: Uint8Array,
  limits: { readonly maxHeadSize: number; readonly maxChildNodes: number },
  signal: AbortSignal,
  { onHeaders = () => {}, onLeftOut = () => {} }: Listeners = {},
  html: HtmlParts = htmlParts(),
  charsets: TextCharsets = textCharsets()
): Readable => {
  let left = maxTextBytes
  let hasText = false
  const cut = new Transform({
    objectMode: true,
    transform: (part: Part, _encoding, done) => {
      if (isOutside(part)) onLeftOut()
      if (part.type === "node") {
        shorten(part)
        if (hasText && isNamedText(part)) asFile(part)
        leaveEncoded(part)
        if (isText(part)) {
          hasText = true
          charsets.correct(part)
        }
      }
      if (part.type !== "body" || !isText(part.node)) return done(null, part)
      const cost = costOf(part.node)
      const value = part.value.subarray(0, html.record(part.node, part.value) ? 0 : Math.floor(left / cost))
      left -= value.length * cost
      charsets.record(part.node, value)
      done(null, { ...part, value })
    }
  })
  const source = addAbortSignal(signal, Readable.from(chunksOf(raw), { objectMode: false }))
  const bytes = new PassThrough()
  const hasBoundary = boundariesIn(raw)
  // The parser also treats an embedded mail as a file.
  const splitter = partSplitter({ ...limits, ignoreEmbedded: true }, (part) => {
    if (part.root) onHeaders([...headersOf(part).getList()])
    if (part.multipart ? !hasBoundary(part) : part.root && isWithoutSubtype(part)) asText(part)
  })
  // An error destroys `bytes`, whose reader reports it.
  pipeline(source, splitter, cut, new Joiner(), bytes, () => {})
  return bytes
}

type Part =
  | { readonly type: "body"; readonly node: MimeNode; readonly value: Buffer }
  | (MimeNode & { readonly type: "node" })
  | { readonly type: "data"; readonly value: Buffer }

interface Listeners {
  /** Gets all headers of the mail. */
  readonly onHeaders?: (lines: ReadonlyArray<HeaderLine>) => void
  /** There is text that is in no part: the parser leaves it out. */
  readonly onLeftOut?: () => void
}

/** Whether there is text between the parts, or in place of the headers of one. */
const isOutside = (part: Part): boolean => {
  if (part.type === "body") return false
  const lines =
    part.type === "data"
      ? part.value.toString("latin1").split("\n")
      : headersOf(part)
          .getList()
          .map(({ line }) => line)
  return lines.some(
    (line) => line.trim() !== "" && !(part.type === "data" ? line.startsWith("--") : line.includes(":"))
  )
}

/** Parts of the splitter that its types do not declare. */
interface Internals {
  readonly state: number
  processLine: (line: Buffer | false, isFinal: boolean, next: LineCallback) => void
}
type LineCallback = (error: Error | null, part?: { readonly type: string }, isFlushed?: boolean) => void

/** The state of the splitter in the headers of a part. */
const inHeaders = 1

/**
 * A splitter that passes on each byte once, and calls `onPart` with each part before its contents. Without the flush,
 * the headers of a part whose end follows them at once are passed on a second time, as bytes between parts: unchecked,
 * and as other headers if the first line of them is indented.
 */
const partSplitter = (
  options: ConstructorParameters<typeof Splitter>[0],
  onPart: (part: MimeNode) => void
): Splitter => {
  const splitter = new Splitter(options) as Splitter & Internals
  const processLine = splitter.processLine.bind(splitter)
  splitter.processLine = (line, isFinal, next) => {
    const isInHeaders = splitter.state === inHeaders
    processLine(line, isFinal, (error, part, isFlushed) => {
      if (part?.type === "node") onPart(part as MimeNode)
      next(error, part, isFlushed || (isInHeaders && part?.type === "data"))
    })
  }
  return splitter
}

/** More lines that begin as a boundary does are not looked at: a mail may have millions. */
const maxDashedLines = 20_000

/**
 * Tells whether a part of the mail begins with the boundary of several parts. The mail is searched once, when the first
 * boundary is asked for. With too many lines to look at, each boundary counts as found.
 */
const boundariesIn = (raw: Uint8Array): ((part: MimeNode) => boolean) => {
  let lines: ReadonlySet<string> | "too many" | null = null
  return ({ _boundary: boundary }) => {
    if (boundary === false) return false
    lines ??= dashedLines(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
    return lines === "too many" || lines.has(Buffer.from(boundary).toString("latin1"))
  }
}

/** The rest of each line that begins with two dashes. */
const dashedLines = (bytes: Buffer): ReadonlySet<string> | "too many" => {
  const lines = new Set<string>()
  let count = 0
  for (let at = bytes.indexOf(dashes); at !== -1; at = bytes.indexOf(dashes, at + 1)) {
    if (++count > maxDashedLines) return "too many"
    const end = bytes.indexOf(lineFeed, at + dashes.length)
    if (end === -1) break
    lines.add(bytes.toString("latin1", at + dashes.length, bytes[end - 1] === carriageReturn ? end - 1 : end))
  }
  return lines
}

const dashes = Buffer.from("\n--")
const [lineFeed, carriageReturn] = [10, 13]

/** Such as `text`, which is not valid and means `text/plain` (RFC 2045, 5.2). */
const isWithoutSubtype = ({ contentType, filename }: MimeNode): boolean =>
  contentType !== false && !contentType.includes("/") && !filename

/** Makes a text of a mail, or of a part, whose parts have no boundary: the parser would leave out all of it. */
const asText = (part: MimeNode): void => {
  // With its boundary, the parser would look for parts all the same.
  if (part.multipart) headersOf(part).update("Content-Type", "text/plain")
  else part.setContentType("text/plain")
  part.contentType = "text/plain"
  part.multipart = false
  part._boundary = false
}

/** Present in all nodes that the splitter passes on. */
const headersOf = ({ headers }: MimeNode): Headers => headers || new Headers([])

const shorten = (node: MimeNode): void => {
  if (headersOf(node).build().length <= (node.root ? maxHead : maxPartHead)) return
  const kept = headersOf(node)
    .getList()
    .filter(({ key }) => parsedHeaders.test(key))
  node.headers = new Headers([{ key: "mime-version", line: "MIME-Version: 1.0" }, ...kept])
}

/** Whether the parser makes text of the part, and not a file. */
const isText = ({ contentType, disposition, root }: MimeNode): boolean =>
  ["text/plain", "text/html"].includes(contentType || (root ? "text/plain" : "")) &&
  (!disposition || disposition === "inline")

/**
 * Whether a text is a file that some programs mark as a part of the text, or not at all. A whole mail may have a name
 * too.
 */
const isNamedText = (node: MimeNode): boolean =>
  isText(node) && node.filename !== false && alternativesAround(node).length === 0

const asFile = (node: MimeNode): void => {
  const headers = headersOf(node)
  // As sent: its encoded words would be decoded.
  const { line = "" } = headers.getList().find(({ key }) => key === "content-disposition") ?? {}
  const parameters = line.replace(/\r?\n/g, "").replace(/^[^;]*/, "")
  headers.update("Content-Disposition", `attachment${parameters}`)
  node.disposition = "attachment"
}

/** The header of a file that is still quoted-printable after the parser. */
export const stillEncoded = "x-parley-still-encoded"

/** The parser decodes a quoted-printable file at its end, all of it at once: 30 MB take four seconds. */
const leaveEncoded = (node: MimeNode): void => {
  const headers = headersOf(node)
  if (headers.hasHeader(stillEncoded)) headers.remove(stillEncoded)
  if (node.encoding !== "quoted-printable" || isText(node)) return
  headers.update("Content-Transfer-Encoding", "binary")
  headers.add(stillEncoded, "yes")
}

function* chunksOf(raw: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
