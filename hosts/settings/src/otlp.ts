import { validateHeaderName, validateHeaderValue } from "node:http"
import { Either, Redacted } from "effect"

/** Values by name. */
export interface Pairs {
  readonly [name: string]: string
}

/** Headers of all requests to a collector: they mostly have a secret. */
export type ExportHeaders = Redacted.Redacted<Pairs>

const wrong = "must be name=value, with commas between several, and percent-encoded values"

/**
 * Reads `name=value,name=value` with percent-encoded names and values, as OpenTelemetry takes them from W3C Baggage
 * (https://opentelemetry.io/docs/specs/otel/resource/sdk/, "Specifying resource information via an environment
 * variable"). A value may have further `=`.
 */
const readPairs = (text: string): Either.Either<Pairs, string> =>
  Either.try({
    try: () =>
      Object.fromEntries(
        text
          .split(",")
          .map((item) => item.trim())
          .filter((item) => item !== "")
          .map((item) => {
            const at = item.indexOf("=")
            if (at < 1) throw new TypeError("there is no name")
            return [item.slice(0, at), item.slice(at + 1)].map((part) => decodeURIComponent(part.trim()))
          })
      ),
    catch: () => wrong
  })

/** Attributes of the resource (`OTEL_RESOURCE_ATTRIBUTES`). */
export const readAttributes = readPairs

/** Headers (`OTEL_EXPORTER_OTLP_HEADERS`), of which HTTP accepts names and values. */
export const readHeaders = (text: string): Either.Either<ExportHeaders, string> =>
  Either.flatMap(readPairs(text), (headers) =>
    Either.try({
      try: () => {
        for (const [name, value] of Object.entries(headers)) {
          validateHeaderName(name)
          validateHeaderValue(name, value)
        }
        return Redacted.make(headers)
      },
      catch: () => wrong
    })
  )
