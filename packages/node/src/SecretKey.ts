import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { Brand, Data, Effect, Either } from "effect"

const size = 32

/** The 32 bytes that everything at rest is encrypted under. */
export type SecretKey = Uint8Array & Brand.Brand<"SecretKey">
const SecretKey = Brand.nominal<SecretKey>()

/** There is no key, or not a usable one. `source` is the setting or file that should hold it; the key is never shown. */
export class SecretKeyInvalid extends Data.TaggedError("SecretKeyInvalid")<{
  readonly source: string
  readonly reason: string
}> {
  override get message() {
    return `${this.source} ${this.reason}`
  }
}

/** The key in `text`: 32 bytes as base64 or base64url. `source` is named in the error, such as `PARLEY_SECRET_KEY`. */
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
 * The key in a file, which is made, for its owner alone to read, where there is none. Of several processes that make it at
 * once, all get the same one. The folder is made too; its file system must know hard links.
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

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown reason"

/** Written whole under another name first: nobody may read half a key, and a crash must not leave one. */
const create = async (path: string): Promise<string> => {
  const folder = dirname(path)
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await write(draft, `${randomBytes(size).toString("base64")}\n`)
    await link(draft, path).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw error
    })
  } finally {
    await unlink(draft)
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
