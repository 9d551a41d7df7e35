import { resolve } from "node:path"
import { type Blobs, parseUrl } from "@parley/core"
import { FileBlobs } from "@parley/node"
import { Effect, Either, Layer } from "effect"

/** Where files of customers are kept. */
export type BlobsPlace =
  /** Absolute. */
  | { readonly _tag: "Folder"; readonly folder: string }
  | {
      readonly _tag: "S3"
      readonly bucket: string
      readonly prefix: string
      readonly region: string | null
      readonly endpoint: string | null
    }

const words = "must be a folder or s3://<bucket>/<prefix>?region=<region>&endpoint=<url>"

/** Left: what the setting must be. */
export const read = (text: string): Either.Either<BlobsPlace, string> => {
  if (!text.startsWith("s3:")) {
    return /^[a-z][a-z0-9+.-]+:/i.test(text)
      ? Either.left(words)
      : Either.right({ _tag: "Folder", folder: resolve(text) })
  }
  const url = parseUrl(text)
  const bucket = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:[/?]|$)/.exec(text)?.[1]
  if (url === null || bucket === undefined || url.hash !== "") return Either.left(words)
  const { endpoint = null, region = null, ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0) return Either.left(words)
  if (endpoint !== null && !(/^https?:\/\//.test(endpoint) && parseUrl(endpoint) !== null)) return Either.left(words)
  return Either.try({ try: () => decodeURIComponent(url.pathname), catch: () => words }).pipe(
    Either.map((path) => path.replace(/^\/+|\/+$/g, "")),
    Either.map((folder) => ({
      _tag: "S3",
      bucket,
      prefix: folder === "" ? "" : `${folder}/`,
      region,
      endpoint
    }))
  )
}

/** The place as the engine uses it. S3's credentials are the SDK's affair. */
export const layer = (place: BlobsPlace): Layer.Layer<Blobs> =>
  place._tag === "Folder"
    ? FileBlobs.layer(place.folder)
    : Layer.unwrapEffect(
        // The SDK is large: only those wait for it who use it.
        Effect.map(
          Effect.promise(() => import("@parley/blobs-s3")),
          ({ S3Blobs }) =>
            S3Blobs.layer({
              bucket: place.bucket,
              prefix: place.prefix,
              ...(place.region === null ? {} : { region: place.region }),
              ...(place.endpoint === null ? {} : { endpoint: place.endpoint })
            })
        )
      )
