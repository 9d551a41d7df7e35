import { given, requiredText, withMessage } from "@parley/core"
import { Schema } from "effect"

const Login = Schema.Struct({
  user: requiredText(255).annotations({ title: "User name" }),
  password: requiredText(1_024).annotations({ title: "Password", description: "Often one made for this app alone." })
})
export type Login = typeof Login.Type

const secret = Schema.Trim.pipe(
  Schema.pattern(/^[\x21-\x7e]{16,255}$/),
  withMessage("must be 16 to 255 characters of ASCII without spaces")
)

/** The `credentials` of a connection (docs/channels/email.md). */
export const EmailCredentials = Schema.Struct({
  smtp: given(Login.annotations({ title: "SMTP login", description: "Absent where the server asks for none." })),
  imap: given(Login.annotations({ title: "IMAP login", description: "Absent where it is the one for SMTP." })),
  inbound_secret: given(
    secret.annotations({
      title: "Inbound secret",
      description: "Any text of your own: who posts mail to the webhook proves by it that they may."
    })
  )
})
export type EmailCredentials = typeof EmailCredentials.Type
