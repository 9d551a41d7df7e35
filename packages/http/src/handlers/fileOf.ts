import { invalid, type Refusal, refuse, type UploadedFile } from "@parley/core"
import { Duration, Effect, Stream } from "effect"
import { make } from "multipasta"
import { type BodyCutOff, headerOf, type Incoming } from "../server/Incoming.js"

/** Time after which a body is given up of which nothing arrives. */
const stallAfter = Duration.seconds(30)

/** Maximum size in bytes of what a transport without streams holds in memory. */
const heldBytes = 64 * 1_048_576

/** Maximum number of parts of a form, and maximum size of those that are no file. */
const maxParts = 20
const maxFieldSize = 65_536

/**
 * The file in a request: its body, or the only file of a form (docs/reference/content.md#uploads). The bytes fail with
 * `bad_request` if the form is malformed or the body stalls, and with `validation_failed` if the form has several
 * files.
 */
export const fileOf = (
  incoming: Incoming,
  fileName: string | null
): Pick<UploadedFile<Refusal | BodyCutOff>, "bytes" | "describe"> => {
  const contentType = headerOf(incoming, "content-type") ?? null
  const body = arriving(incoming)
  if (!/^multipart\/form-data\b/i.test(contentType ?? "")) {
    return { bytes: body, describe: () => ({ contentType, fileName }) }
  }
  let described: ReturnType<UploadedFile<never>["describe"]> | null = null
  let problem: Refusal | null = null
  let arrived: Array<Uint8Array> = []
  const parser = make({
    headers: { "content-type": contentType ?? "" },
    maxParts,
    maxFieldSize,
    onField: () => {},
    onFile: (part) => {
      if (described !== null) problem ??= invalid({ file: ["must be given once"] })
      described ??= { contentType: part.contentType, fileName: fileName ?? part.filename ?? null }
      return (chunk) => {
        if (chunk !== null && problem === null) arrived.push(chunk)
      }
    },
    onError: () => {
      problem ??= malformed
    },
    onDone: () => {}
  })
  /** The bytes of the file that a step of the parser has found. */
  const found = (step: () => void): Effect.Effect<ReadonlyArray<Uint8Array>, Refusal> =>
    Effect.suspend(() => {
      step()
      if (problem !== null) return Effect.fail(problem)
      const bytes = arrived
      arrived = []
      return Effect.succeed(bytes)
    })
  const bytes = Stream.concat(
    Stream.mapEffect(body, (chunk) => found(() => parser.write(chunk))),
    Stream.fromEffect(found(() => parser.end()))
  )
  return {
    bytes: Stream.mapConcat(bytes, (some) => some),
    describe: () => described ?? { contentType: null, fileName }
  }
}

const malformed = refuse("bad_request", {}, "The form is not valid, or has too many or too large fields.")

const arriving = ({ body, bytes }: Incoming): Stream.Stream<Uint8Array, Refusal | BodyCutOff> =>
  bytes === undefined
    ? Stream.fromEffect(
        Effect.flatMap(body(heldBytes), (held) =>
          held === null ? Effect.fail(refuse("payload_too_large")) : Effect.succeed(held)
        )
      )
    : Stream.timeoutFail(bytes, () => refuse("bad_request", {}, "The body took too long to arrive."), stallAfter)
