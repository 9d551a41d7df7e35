import { resolve } from "node:path"
import { parseUrl } from "@parley/core"
import { type TrustedProxies, trustedProxies } from "@parley/http"
import { AddressGuard, SecretKey } from "@parley/node"
import { schemaNameProblem, splitHosts } from "@parley/postgres/driverless"
import { Either, LogLevel, Redacted } from "effect"
import type { Database } from "./Database.js"

// Parsers of settings, shared by environment variables and options. Left: the message `must be …`.

type Parsed<A> = Either.Either<A, string>

export const database = (text: string): Parsed<Database> => {
  if (/^postgres(ql)?:/.test(text)) {
    return Either.map(postgresUrl(text), (url) => ({ _tag: "Postgres", url, directUrl: null, schema: null }))
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  if (file === undefined) return Either.left("must be sqlite:<file> or postgres://<user>:<password>@<host>/<database>")
  return Either.right({ _tag: "Sqlite", file: file === ":memory:" ? file : resolve(file) })
}

/** One host, or several with commas between them. */
export const postgresUrl = (text: string): Parsed<Redacted.Redacted> => {
  const urls = splitHosts(text)
  return typeof urls === "string" ? Either.left(urls) : Either.right(Redacted.make(text))
}

/** A schema of Postgres. */
export const schema = (text: string): Parsed<string> => {
  const problem = schemaNameProblem(text)
  return problem === null ? Either.right(text) : Either.left(problem)
}

/** Strips trailing slashes. */
export const url = (text: string): Parsed<string> =>
  /^https?:\/\//.test(text) && parseUrl(text) !== null
    ? Either.right(text.replace(/\/+$/, ""))
    : Either.left("must be an http or https URL")

export const urls = (items: ReadonlyArray<string>): Parsed<ReadonlyArray<string>> => Either.all(items.map(url))

export const token = (text: string): Parsed<Redacted.Redacted> =>
  /^[\x21-\x2b\x2d-\x7e]+$/.test(text)
    ? Either.right(Redacted.make(text))
    : Either.left("must be printable ASCII without spaces and commas")

export const secretKey = (text: string): Parsed<Redacted.Redacted<SecretKey.SecretKey>> =>
  Either.mapBoth(SecretKey.parse(text, ""), {
    onLeft: ({ reason }) => reason,
    onRight: (key) => Redacted.make(key)
  })

export const secretKeys = (
  items: ReadonlyArray<string>
): Parsed<ReadonlyArray<Redacted.Redacted<SecretKey.SecretKey>>> => Either.all(items.map(secretKey))

export const serviceName = (text: string): Parsed<string> =>
  /^[a-z][a-z0-9-]{0,31}$/.test(text)
    ? Either.right(text)
    : Either.left("must be lower-case letters, digits and dashes, with a letter first, at most 32")

export const networks = (items: ReadonlyArray<string>): Parsed<ReadonlyArray<string>> =>
  Either.mapBoth(AddressGuard.make(items), {
    onLeft: ({ cidr }) => `must be CIDRs such as 10.0.0.0/8; "${cidr}" is not a CIDR`,
    onRight: () => items
  })

export const hostNames = (items: ReadonlyArray<string>): Parsed<ReadonlyArray<string>> => {
  const names = items.map((item) => item.toLowerCase())
  const wrong = names.find((name) => parseUrl(`http://${name}`)?.hostname !== name)
  return wrong === undefined
    ? Either.right(names)
    : Either.left(`must be host names such as admin.example.org; "${wrong}" is not a host name`)
}

export const proxies = (items: ReadonlyArray<string>): Parsed<TrustedProxies> =>
  Either.mapLeft(trustedProxies(items), (item) => `must be addresses or CIDRs; "${item}" is neither`)

const logLevels = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

export const logLevel = (text: string): Parsed<LogLevel.LogLevel> =>
  Object.hasOwn(logLevels, text)
    ? Either.right(logLevels[text as keyof typeof logLevels])
    : Either.left(`must be one of ${Object.keys(logLevels).join(", ")}`)

/** Media types; `image/*` matches every image. */
export const mediaTypes = (items: ReadonlyArray<string>): Parsed<ReadonlyArray<string>> => {
  const wrong = items.find((item) => !/^[a-z0-9][\w.+-]*\/([a-z0-9][\w.+-]*|\*)$/i.test(item))
  return wrong === undefined
    ? Either.right(items.map((item) => item.toLowerCase()))
    : Either.left(`must be media types such as application/pdf or image/*; "${wrong}" is not a media type`)
}
