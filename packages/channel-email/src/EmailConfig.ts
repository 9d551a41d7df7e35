import { given, normaliseHandle, oneOf, requiredText, signedIdLength, wholeNumber, withMessage } from "@parley/core"
import { Either, Schema } from "effect"

/** Text that is used in a mail header. */
const line = (max: number) =>
  requiredText(max).pipe(
    Schema.filter((text) => !/\p{Cc}/u.test(text)),
    withMessage(`must be one line of at most ${max} characters`)
  )

const mailAddress = Schema.String.pipe(
  Schema.filter((text) => Either.isRight(normaliseHandle("email", text)) || "must be an email address")
)

const addresses = Schema.Array(mailAddress).pipe(
  Schema.maxItems(20),
  withMessage("must be a list of at most 20 email addresses")
)

/** An address with one `*` in its local part, and room for a signed id in its place. */
const returnPath = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^[^*@]*\*[^*@]*@[^*@]+$/.test(text) &&
        Either.isRight(normaliseHandle("email", text.replace("*", "0".repeat(signedIdLength))))) ||
      `must be an email address with one * before the @, which stands for ${signedIdLength} of at most 64 characters`
  )
)

const hostName = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9]([a-z0-9.:_-]{0,251}[a-z0-9])?$/i),
  withMessage("must be the name or the IP address of a host")
)

/** The transport security of a connection to a mail server. */
export const Security = oneOf(["tls", "starttls", "none"])
export type Security = typeof Security.Type

const server = (what: string, tls: number, starttls: number) => ({
  host: hostName.annotations({ title: `${what} server`, description: `Such as ${what.toLowerCase()}.example.com.` }),
  port: given(
    wholeNumber(1, 65_535).annotations({
      title: "Port",
      description: `Default: ${tls}, or ${starttls} where security is not tls.`
    })
  ),
  security: given(
    Security.annotations({
      title: "Security",
      description: `tls from the first byte, starttls (refused where the server has none), or none: passwords and mail in the clear, for a relay on the same machine. Default: tls, or starttls on another port than ${tls}.`
    })
  )
})

/** The `config` of a connection (docs/channels/email.md). The connection's handle is the sender of its mails. */
export const EmailConfig = Schema.Struct({
  from_name: given(
    line(100).annotations({ title: "Name", description: "What customers see before the connection's address." })
  ),
  reply_to: given(
    mailAddress.annotations({ title: "Reply to", description: "Where answers go, if not to the connection's address." })
  ),
  default_subject: given(
    line(255).annotations({
      title: "Subject",
      description: "Of a mail that has none and answers none. Default: Message from, and the name."
    })
  ),
  unsubscribe: given(
    mailAddress.annotations({
      title: "Unsubscribe by mail to",
      description: "Every mail then says that a mail to this address, with the subject unsubscribe, ends them."
    })
  ),
  return_path: given(
    returnPath.annotations({
      title: "Return path",
      description:
        "Where bounces go, such as hello+*@bakery.example: * becomes a signed id of each mail, and reports without one no longer count. Mail to such addresses must come in on this connection, and the SMTP server must send under them. Default: the connection's address."
    })
  ),
  authserv_id: given(
    hostName.annotations({
      title: "Authenticating server",
      description:
        "The name with which your mail server begins the Authentication-Results header that it adds to all mail. If set, words such as STOP and reports without a signed id count only from senders that it authenticated."
    })
  ),
  lists: given(
    addresses.annotations({
      title: "Lists",
      description:
        "Addresses of your lists and groups, at most 20. Their mail is from the author in X-Original-From, where the list wrote its own address into From, and is not automatic."
    })
  ),
  forms: given(
    addresses.annotations({
      title: "Contact forms",
      description:
        "Addresses from which your contact forms send, at most 20. Their mail is from the address in Reply-To, not from the form."
    })
  ),
  delivery_receipts: given(
    Schema.Boolean.annotations({
      title: "Delivery receipts",
      description: "Asks mail servers to report deliveries too; few do. Default: false."
    })
  ),
  smtp: Schema.Struct({
    ...server("SMTP", 465, 587),
    connections: given(
      wholeNumber(1, 50).annotations({
        title: "Connections",
        description: "How many may be open at once, from each host of Parley. Default: 5."
      })
    ),
    messages_per_minute: given(
      wholeNumber(1, 100_000).annotations({
        title: "Messages a minute",
        description: "How many the server takes. Default: no limit."
      })
    )
  }).annotations({ title: "How mail goes out" }),
  imap: given(
    Schema.Struct({
      ...server("IMAP", 993, 143),
      mailbox: given(line(255).annotations({ title: "Mailbox", description: "Default: INBOX." })),
      every_ms: given(
        wholeNumber(1_000, 86_400_000).annotations({
          title: "Asked for new mail every, in ms",
          description: "Default: 30000."
        })
      )
    }).annotations({ title: "How mail comes in, where no webhook brings it" })
  )
})
export type EmailConfig = typeof EmailConfig.Type
