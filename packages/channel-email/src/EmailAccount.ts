import type { Connection, Instant } from "@parley/core"
import { Either, Schema } from "effect"
import type { ParseError } from "effect/ParseResult"
import { EmailConfig } from "./EmailConfig.js"
import { EmailCredentials } from "./EmailCredentials.js"

/** The business's address and name, as customers see them in mails. */
export interface Business {
  /** The connection's handle. */
  readonly address: string
  /** The display name of the address. */
  readonly name: string
  readonly config: EmailConfig
}

/** A business with the settings of its mail servers. */
export interface EmailAccount extends Business {
  /** The connection's id. */
  readonly id: string
  /** Mails received before this time are not polled. */
  readonly createdAt: Instant
  readonly credentials: EmailCredentials
}

const readConfig = Schema.decodeUnknownEither(EmailConfig)
const readCredentials = Schema.decodeUnknownEither(EmailCredentials)

/**
 * The business of a connection. Fails if its config is not complete. Do not show the error, which contains values of
 * the config.
 */
export const businessOf = ({ config, handle, name }: Connection): Either.Either<Business, ParseError> =>
  Either.map(readConfig(config), (config) => ({ address: handle, name: config.from_name ?? name, config }))

/**
 * The account of a connection. Fails if its settings are not complete. Do not show the error, which contains
 * credentials.
 */
export const accountOf = (connection: Connection, given: unknown): Either.Either<EmailAccount, ParseError> =>
  Either.gen(function* () {
    const business = yield* businessOf(connection)
    const credentials = yield* readCredentials(given ?? {})
    return { ...business, id: connection.id, createdAt: connection.createdAt, credentials }
  })

/** The error message for a connection whose settings are not complete. */
export const incomplete = "The connection's config or credentials are not complete."
