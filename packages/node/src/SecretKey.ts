import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { Brand, Data, Effect, Either, Predicate } from "effect"

const size = 32

/** Key of 32 bytes that encrypts secrets at rest. */
export type SecretKey = Uint8Array & Brand.Brand<"SecretKey">
const SecretKey = Brand.nominal<SecretKey>()

/** The key is missing or invalid. `source` is the setting or file of the key. The message never contains the key. */
export class SecretKeyInvalid extends Data.TaggedError("SecretKeyInvalid")<{
  readonly source: string
  readonly reason: string
}> {
  override get message() {
    return `${this.source} ${this.reason}`
  }
}

/**
 * Parses a key: 32 bytes in base64 or base64url. `source` names the setting in errors, for example `PARLEY_SECRET_KEY`.
 */
export const parse = (text: string, source: string): Either.Either<SecretKey, SecretKeyInvalid> => {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)) {
    return Either.left(new SecretKeyInvalid({ source, reason: "must be base64" }))
  }
  const bytes = Buffer.from(trimmed, "base64")
  return bytes.length === size
    ? Either.right(SecretKey(new Uint8Array(bytes)))
    : Either.left(new SecretKeyInvalid({ source, reason: `must be 32 bytes in base64, not ${bytes.length}` }))
}

/**
 * Reads the key from a file. If the file is missing, creates it with a random key, readable by the owner only;
 * concurrent processes get the same key. Creates the folder too. The file system must support hard links.
 */
export const fromFile = (path: string): Effect.Effect<SecretKey, SecretKeyInvalid> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.catchIf(
      ({ error }) => codeOf(error) === "ENOENT",
      () => Effect.tryPromise(() => create(path))
    ),
    Effect.mapError(
      ({ error }) => new SecretKeyInvalid({ source: path, reason: `cannot be read or made (${codeOf(error)})` })
    ),
    Effect.flatMap((text) => parse(text, path))
  )

// Under Jest, errors of Node are of another realm: instances of another Error.
const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown reason"

/** Writes the key to a temporary file and links it: readers never see a partial key, and a crash leaves none. */
const create = async (path: string): Promise<string> => {
  const folder = dirname(path)
  const decoded = `${path}.${randomBytes(6).toString("hex")}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await write(decoded, `${randomBytes(size).toString("base64")}\n`)
    await link(decoded, path).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw error
    })
  } finally {
    // Absent if it could not be written, whose error counts.
    await unlink(decoded).catch(() => {})
  }
  return readFile(path, "utf8")
}

const write = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
