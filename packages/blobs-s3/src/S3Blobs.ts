import { Readable } from "node:stream"
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  NotFound,
  S3Client,
  type S3ClientConfig
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { Blobs, BlobsUnavailable, limitedBytes } from "@parley/core"
import { Data, Deferred, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"

/** Location and access of the bucket. */
export interface S3BlobsOptions {
  readonly bucket: string
  /** Prefix of all keys, for example `parley/`. Default: none. */
  readonly prefix?: string
  /** Default: from the environment (`AWS_REGION`). */
  readonly region?: string
  /** Endpoint of an S3-compatible service, for example `http://minio:9000`. Addresses the bucket by path. */
  readonly endpoint?: string
  /** Default: the SDK's credential chain (`AWS_ACCESS_KEY_ID`, a role, …). */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>
  /** Timeout in ms of a request, and of the next bytes of a download. Default: 30 s. */
  readonly timeout?: number
}

/** Concurrent deletions. */
const removals = 8

/**
 * Stores blobs in a bucket of S3 or an S3-compatible service. Uploads in parts of 5 MiB, one in memory at a time; a
 * blob becomes readable once all parts are uploaded. Requires the permissions `s3:GetObject`, `s3:PutObject`,
 * `s3:DeleteObject`, `s3:AbortMultipartUpload`, and `s3:ListBucket`. Without `s3:ListBucket`, S3 reports a missing blob
 * as forbidden.
 *
 * @example
 * ```ts
 * const blobs = S3Blobs.layer({ bucket: "acme-files", prefix: "parley/", region: "eu-central-1" })
 * ```
 */
export const make = (options: S3BlobsOptions): Effect.Effect<Blobs, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new S3Client(configOf(options))),
      (client) => Effect.sync(() => client.destroy())
    ),
    (client) => inBucket(client, options)
  )

/** {@link make} as a layer. */
export const layer = (options: S3BlobsOptions): Layer.Layer<Blobs> => Layer.scoped(Blobs, make(options))

const defaultTimeout = 30_000

const configOf = ({ credentials, endpoint, region, timeout = defaultTimeout }: S3BlobsOptions): S3ClientConfig => ({
  ...(region === undefined ? {} : { region }),
  ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  ...(credentials === undefined ? {} : { credentials }),
  // Without `throwOnRequestTimeout`, the SDK logs a warning and goes on waiting.
  requestHandler: { connectionTimeout: 5_000, requestTimeout: timeout, throwOnRequestTimeout: true },
  // Not all S3-compatible services support the newer checksums. The request signature covers the payload hash in any
  // case.
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED"
})

const inBucket = (client: S3Client, { bucket, prefix = "", timeout = defaultTimeout }: S3BlobsOptions): Blobs => {
  const idle = Duration.millis(timeout)
  // Three tries of the SDK, with the waits between them.
  const call = withTimeout(Duration.times(idle, 4))
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` })
  const download = (key: string, part: { readonly Range?: string } = {}) =>
    bytesOf(
      call((abortSignal) => client.send(new GetObjectCommand({ ...objectOf(key), ...part }), { abortSignal })),
      idle
    )
  return {
    put: (key, bytes, { contentType, limit }) =>
      // The SDK looks for credentials before its requests, whose timeout does not cover that.
      Effect.zipRight(
        Effect.mapError(
          call(() => client.config.credentials()),
          unavailable
        ),
        upload(client, { ...objectOf(key), ContentType: contentType }, limitedBytes(bytes, limit))
      ),
    get: (key) =>
      call((abortSignal) => client.send(new HeadObjectCommand(objectOf(key)), { abortSignal })).pipe(
        Effect.map(({ ContentLength = 0 }) =>
          Option.some({
            size: ContentLength,
            bytes: download(key),
            slice: (start: number, end: number) => download(key, { Range: `bytes=${start}-${end - 1}` })
          })
        ),
        Effect.catchIf(
          ({ cause }) => cause instanceof NotFound,
          () => Effect.succeedNone
        ),
        Effect.mapError(unavailable)
      ),
    remove: (keys) =>
      Effect.forEach(
        keys,
        (key) => call((abortSignal) => client.send(new DeleteObjectCommand(objectOf(key)), { abortSignal })),
        { concurrency: removals, discard: true }
      ).pipe(Effect.mapError(unavailable))
  }
}

/** Returns the size in bytes. */
const upload = <E>(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string; readonly ContentType: string },
  bytes: Stream.Stream<Uint8Array, E>
): Effect.Effect<number, E | BlobsUnavailable> =>
  Effect.gen(function* () {
    let size = 0
    // The original failure of the source: the SDK only reports that its source ended.
    const broken = yield* Deferred.make<never, E>()
    const source = yield* bytes.pipe(
      Stream.map((chunk) => {
        size += chunk.length
        return chunk
      }),
      Stream.tapErrorCause((cause) => Deferred.failCause(broken, cause)),
      Stream.toAsyncIterableEffect
    )
    const uploaded = s3Call((signal) => {
      const uploading = new Upload({ client, params: { ...object, Body: Readable.from(source) }, queueSize: 1 })
      signal.addEventListener("abort", () => void uploading.abort())
      return uploading.done()
    })
    yield* Effect.catchAll(uploaded, (failed) =>
      Effect.flatMap(
        Deferred.poll(broken),
        Option.match({
          onNone: (): Effect.Effect<never, E | BlobsUnavailable> => unavailable(failed),
          onSome: (why) => why
        })
      )
    )
    return size
  })

/**
 * The bytes of an object; `idle` is the longest wait for the next ones, while they are asked for. The connection is
 * released when the stream ends, fails or is interrupted.
 */
const bytesOf = (
  found: Effect.Effect<GetObjectCommandOutput, Failed>,
  idle: Duration.Duration
): Stream.Stream<Uint8Array, BlobsUnavailable> =>
  Effect.map(found, ({ Body }) => (Body instanceof Readable ? readChunks(Body, idle) : Stream.empty)).pipe(
    Stream.unwrap,
    Stream.mapError(unavailable)
  )

/** Not `Stream.fromAsyncIterable`: its end would wait for the bytes that do not come. */
const readChunks = (body: Readable, idle: Duration.Duration): Stream.Stream<Uint8Array, Failed> => {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const next = Effect.tryPromise({ try: () => chunks.next(), catch: (cause) => new Failed({ cause }) }).pipe(
    Effect.timeoutFail({ duration: idle, onTimeout: () => timedOut }),
    Effect.mapError(Option.some),
    Effect.flatMap(({ done, value }) => (done === true ? Effect.fail(Option.none()) : Effect.succeed(value)))
  )
  return Stream.ensuring(
    Stream.repeatEffectOption(next),
    Effect.sync(() => void body.destroy())
  )
}

/** An error of the SDK. Its message may contain data that must not be logged. */
class Failed extends Data.TaggedError("Failed")<{ readonly cause: unknown }> {}

const s3Call = <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Failed> =>
  Effect.tryPromise({ try: send, catch: (cause) => new Failed({ cause }) })

const timedOut = new Failed({ cause: Object.assign(new Error("no answer in time"), { name: "TimeoutError" }) })

/** {@link s3Call} with a timeout, also of what the SDK does before the request, such as looking for credentials. */
const withTimeout =
  (duration: Duration.Duration) =>
  <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Failed> =>
    Effect.timeoutFail(s3Call(send), { duration, onTimeout: () => timedOut })

const unavailable = ({ cause }: Failed): BlobsUnavailable =>
  new BlobsUnavailable({
    reason: `the bucket does not answer (${cause instanceof Error ? cause.name : "unknown reason"})`
  })
