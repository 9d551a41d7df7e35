import { TextDecoder } from "node:util"
import libmime from "libmime"
import { maxTextBytes } from "./boundedText.js"
import type { MailFile } from "./MailFile.js"

/** The contents of a `winmail.dat`. */
export interface Tnef {
  readonly files: ReadonlyArray<MailFile>
  /** Whether it also has attachments that are not files, such as Outlook items. */
  readonly hasItems: boolean
  /** Whether its only text is in RTF, which is not read. */
  readonly isRichText: boolean
  readonly text: string | null
  readonly html: string | null
}

/** Maximum number of files of a `winmail.dat`: as many as a message keeps. */
const maxFiles = 100

/** Whether a part of a mail claims to be TNEF. */
export const isTnef = ({ contentType, fileName }: MailFile): boolean =>
  /^application\/(vnd\.)?ms-tnef$/.test(contentType) || fileName?.toLowerCase() === "winmail.dat"

/**
 * Reads a `winmail.dat`, in which Outlook sends files (docs/reference/email.md#winmaildat). Null if it is broken. The
 * bytes of the files are views of the given bytes, and each step consumes some of them: time and memory are bounded by
 * the length.
 */
export const readTnef = (bytes: Uint8Array): Tnef | null => {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

// The format: MS-OXTNEF.
const signature = 0x223e9f78

/** Attributes, by the id without its type. */
const attribute = {
  body: 0x800c,
  attachmentTitle: 0x8010,
  attachmentData: 0x800f,
  attachmentStart: 0x9002,
  messageProperties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007
} as const

/** Ids of properties (MS-OXPROPS). */
const property = {
  body: 0x1000,
  richText: 0x1009,
  html: 0x1013,
  data: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  contentType: 0x370e
} as const

interface Attachment {
  title: string | null
  data: Uint8Array | null
  properties: ReadonlyMap<number, Value>
}

const read = (bytes: Uint8Array): Tnef | null => {
  const reader = readerOf(bytes)
  if (reader.uint32() !== signature) return null
  reader.take(2)
  const attachments: Array<Attachment> = []
  let decode = decoderOf(1252)
  let body: string | null = null
  let message: ReadonlyMap<number, Value> = new Map()
  while (reader.left() > 0) {
    reader.take(1)
    const id = reader.uint32() & 0xffff
    const value = reader.take(reader.uint32())
    reader.take(2)
    const current = attachments.at(-1)
    if (id === attribute.codePage) decode = decoderOf(readerOf(value).uint32())
    else if (id === attribute.body) body = decode(value)
    else if (id === attribute.messageProperties) message = propertiesOf(value, decode)
    else if (id === attribute.attachmentStart) attachments.push({ title: null, data: null, properties: new Map() })
    else if (current === undefined) continue
    else if (id === attribute.attachmentTitle) current.title = decode(value)
    else if (id === attribute.attachmentData) current.data = value
    else if (id === attribute.attachmentProperties) current.properties = propertiesOf(value, decode)
    if (attachments.length > maxFiles) return null
  }
  const files = attachments.flatMap(fileOf)
  const text = textIn(message.get(property.body)) ?? (body || null)
  const html = htmlIn(message.get(property.html), decode)
  const isRichText = text === null && html === null && message.has(property.richText)
  return { files, hasItems: files.length < attachments.length, isRichText, text, html }
}

/** None for an Outlook item or a link. */
const fileOf = ({ data, properties, title }: Attachment): ReadonlyArray<MailFile> => {
  const given = properties.get(property.data)
  const bytes = data ?? (given instanceof Uint8Array ? given : null)
  if (bytes === null) return []
  const [longName, name] = [property.longFileName, property.fileName].map((id) => textIn(properties.get(id)))
  const fileName = longName ?? name ?? title
  const type = textIn(properties.get(property.contentType))?.toLowerCase() ?? ""
  const contentType = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type) ? type : libmime.detectMimeType(fileName ?? "")
  return [{ contentType, fileName: fileName || null, bytes }]
}

const textIn = (value: Value | undefined): string | null => (typeof value === "string" && value !== "" ? value : null)

const htmlIn = (value: Value | undefined, decode: Decode): string | null =>
  value instanceof Uint8Array ? decode(value) || null : textIn(value)

/** A text, or the bytes of a binary property. Null: another type. */
type Value = string | Uint8Array | null
type Decode = (bytes: Uint8Array) => string

/** Types of properties (MS-OXCDATA, 2.11.1). */
const propertyType = { text8: 0x1e, text16: 0x1f, binary: 0x102, object: 0x0d, multiple: 0x1000 } as const

/** Length of the values of fixed length with their padding, in bytes. */
const fixedLengths = new Map([
  ...[0x02, 0x03, 0x04, 0x0a, 0x0b].map((type) => [type, 4] as const),
  ...[0x05, 0x06, 0x07, 0x14, 0x40].map((type) => [type, 8] as const),
  [0x48, 16]
])

/** The first value of each property. Throws a `RangeError` for a type that is not known: its length is not, either. */
const propertiesOf = (bytes: Uint8Array, decode: Decode): ReadonlyMap<number, Value> => {
  const reader = readerOf(bytes)
  const properties = new Map<number, Value>()
  for (let left = reader.uint32(); left > 0; left -= 1) {
    const type = reader.uint16()
    const id = reader.uint16()
    if (id >= 0x8000) skipName(reader)
    const base = type & ~propertyType.multiple
    const length = fixedLengths.get(base)
    const isVariable = [propertyType.text8, propertyType.text16, propertyType.binary, propertyType.object].some(
      (variable) => variable === base
    )
    if (length === undefined && !isVariable) throw new RangeError("a property of an unknown type")
    const count = isVariable || type !== base ? reader.uint32() : 1
    if (length !== undefined) {
      reader.take(length * count)
      continue
    }
    for (let value = 0; value < count; value += 1) {
      const given = reader.padded(reader.uint32())
      if (value === 0 && id < 0x8000) properties.set(id, valueIn(base, given, decode))
    }
  }
  return properties
}

const valueIn = (type: number, bytes: Uint8Array, decode: Decode): Value => {
  if (type === propertyType.text8) return decode(bytes)
  if (type === propertyType.text16) return textOf(new TextDecoder("utf-16le"), bytes)
  return type === propertyType.binary ? bytes : null
}

/** The name of a named property follows its id: a GUID and a number or a text. */
const skipName = (reader: Reader): void => {
  reader.take(16)
  const isText = reader.uint32() === 1
  const value = reader.uint32()
  if (isText) reader.padded(value)
}

const decoderOf = (codePage: number): Decode => {
  const label = codePage === 65001 ? "utf-8" : (asianCodePages.get(codePage) ?? `windows-${codePage}`)
  try {
    const decoder = new TextDecoder(label)
    return (bytes) => textOf(decoder, bytes)
  } catch {
    return decoderOf(1252)
  }
}

const asianCodePages = new Map([
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"]
])

/** The text up to its end, which is a zero, or to the maximum length. */
const textOf = (decoder: TextDecoder, bytes: Uint8Array): string =>
  decoder.decode(bytes.subarray(0, maxTextBytes)).split("\0", 1)[0] ?? ""

interface Reader {
  /** The number of bytes that are left. */
  readonly left: () => number
  /** The next bytes. Throws a `RangeError` if there are fewer. */
  readonly take: (length: number) => Uint8Array
  /** The same, followed by zeros up to a multiple of four. */
  readonly padded: (length: number) => Uint8Array
  readonly uint16: () => number
  readonly uint32: () => number
}

const readerOf = (bytes: Uint8Array): Reader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new RangeError("the end was reached")
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    left: () => bytes.length - at,
    take,
    padded: (length) => {
      const taken = take(length)
      // Some programs leave it out at the end.
      take(Math.min((4 - (length % 4)) % 4, bytes.length - at))
      return taken
    },
    uint16: () => {
      take(2)
      return view.getUint16(at - 2, true)
    },
    uint32: () => {
      take(4)
      return view.getUint32(at - 4, true)
    }
  }
}
