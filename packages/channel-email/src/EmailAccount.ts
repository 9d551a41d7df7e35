import type { Connection, Instant } from "@parley/core"
import { Either, Schema } from "effect"
import type { ParseError } from "effect/ParseResult"
import { EmailConfig } from "./EmailConfig.js"
import { EmailCredentials } from "./EmailCredentials.js"

/** Whom customers write to and hear from. */
export interface Business {
  /** The connection's handle. */
  readonly address: string
  /** What customers see before the address. */
  readonly name: string
  readonly config: EmailConfig
}

/** A business with what opens its mail servers. */
export interface EmailAccount extends Business {
  /** The connection's id. */
  readonly id: string
  /** Mail from before is never taken. */
  readonly createdAt: Instant
  readonly credentials: EmailCredentials
}

const readConfig = Schema.decodeUnknownEither(EmailConfig)
const readCredentials = Schema.decodeUnknownEither(EmailCredentials)

/** The business behind a connection; left where its config is not complete. Do not show the error: it has values in it. */
export const businessOf = ({ config, handle, name }: Connection): Either.Either<Business, ParseError> =>
  Either.map(readConfig(config), (config) => ({ address: handle, name: config.from_name ?? name, config }))

/** The account behind a connection; left where its settings are not complete. Do not show the error: it has values in it. */
export const accountOf = (connection: Connection, given: unknown): Either.Either<EmailAccount, ParseError> =>
  Either.gen(function* () {
    const business = yield* businessOf(connection)
    const credentials = yield* readCredentials(given ?? {})
    return { ...business, id: connection.id, createdAt: connection.createdAt, credentials }
  })

/** What to say of a connection whose settings are not complete. */
export const incomplete = "The connection's config or credentials are not complete."
