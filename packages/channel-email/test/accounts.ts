import type { Connection } from "@parley/core"
import type { Account } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"
import { Effect, Either, type Scope } from "effect"
import { accountOf, type EmailAccount } from "../src/EmailAccount.js"
import { type ImapVendor, imapVendor } from "./ImapVendor.js"
import { type SmtpVendor, smtpVendor } from "./SmtpVendor.js"

/** The mail servers of one business. */
export interface MailServers {
  readonly smtp: SmtpVendor
  readonly imap: ImapVendor
}

/** A business's settings, but for where its servers are. */
export const business = (name: string) => {
  const address = `hello@${name}.example`
  return {
    address,
    smtp: { user: `${name}-out`, password: `outgoing-password-of-${name}` },
    imap: { user: `${name}-in`, password: `incoming-password-of-${name}` },
    inboundSecret: `inbound-secret-of-${name}`
  }
}
export type Business = ReturnType<typeof business>

/** Starts its servers, which end with the scope. */
export const mailServers = ({ address, imap, smtp }: Business): Effect.Effect<MailServers, never, Scope.Scope> =>
  Effect.all({ smtp: smtpVendor({ ...smtp, address }), imap: imapVendor(imap) })

/** Its connection, as an operator enters it. */
export const accountAt = (
  { address, imap, inboundSecret, smtp }: Business,
  servers: MailServers,
  config: Connection["config"] = {}
): Account => ({
  connection: aConnection({
    id: address === "hello@bakery.example" ? bakeryId : otherId,
    channel: "email",
    provider: "email",
    name: "The Bakery",
    handle: address,
    config: {
      smtp: { host: "127.0.0.1", port: servers.smtp.port, security: "none" },
      imap: { host: "127.0.0.1", port: servers.imap.port, security: "none", every_ms: 60_000 },
      ...config
    }
  }),
  credentials: { smtp, imap, inbound_secret: inboundSecret },
  secrets: [smtp.password, imap.password, inboundSecret]
})

const bakeryId = "01900000-0000-7000-8000-0000000000a1"
const otherId = "01900000-0000-7000-8000-0000000000a2"

export const bakery = business("bakery")

/** The settings of an account, read. */
export const readAccount = ({ connection, credentials }: Account): EmailAccount =>
  Either.getOrThrow(accountOf(connection, credentials))
