import { resolve } from "node:path"
import { type Blobs, parseUrl } from "@parley/core"
import { FileBlobs } from "@parley/node"
import { Effect, Either, Layer } from "effect"

/** Where customers' files are stored. */
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

const message = "must be a folder or s3://<bucket>/<prefix>?region=<region>&endpoint=<url>"

/** Fails with the description of valid values. */
export const read = (text: string): Either.Either<BlobsPlace, string> => {
  if (!text.startsWith("s3:")) {
    return /^[a-z][a-z0-9+.-]+:/i.test(text)
      ? Either.left(message)
      : Either.right({ _tag: "Folder", folder: resolve(text) })
  }
  const url = parseUrl(text)
  const bucket = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:[/?]|$)/.exec(text)?.[1]
  if (url === null || bucket === undefined || url.hash !== "") return Either.left(message)
  const { endpoint = null, region = null, ...unknown } = Object.fromEntries(url.searchParams)
  if (Object.keys(unknown).length > 0) return Either.left(message)
  if (endpoint !== null && !(/^https?:\/\//.test(endpoint) && parseUrl(endpoint) !== null)) return Either.left(message)
  return Either.try({ try: () => decodeURIComponent(url.pathname), catch: () => message }).pipe(
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

/** The blob storage as a layer. The SDK of S3 finds its credentials. */
export const layer = (place: BlobsPlace): Layer.Layer<Blobs> =>
  place._tag === "Folder"
    ? FileBlobs.layer(place.folder)
    : Layer.unwrapEffect(
        // The SDK is large: load it only if it is used.
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
