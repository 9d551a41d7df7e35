/** What the tests use of it. */
declare module "hoodiecrow-imap" {
  import type { Server } from "node:net"

  interface StoredMessage {
    uid: number
    flags: ReadonlyArray<string>
  }

  interface Mailbox {
    uidvalidity: number
    uidnext: number
    messages: Array<StoredMessage>
  }

  interface Response {
    readonly tag: string
    readonly [field: string]: unknown
  }

  export interface Session {
    send: (response: Response, ...about: ReadonlyArray<unknown>) => void
  }
  export interface Command {
    readonly tag: string
    readonly attributes: ReadonlyArray<{ readonly value: unknown }>
  }
  type Handler = (session: Session, command: Command, data: string, done: () => void) => void

  interface ImapServer {
    readonly getCommandHandler: (name: string) => Handler
    readonly setCommandHandler: (name: string, handler: Handler) => void
    readonly server: Server
    readonly getMailbox: (path: string) => Mailbox
    readonly appendMessage: (path: string, flags: ReadonlyArray<string>, internalDate: string, raw: string) => void
  }

  const hoodiecrow: (options: {
    readonly plugins: ReadonlyArray<string>
    readonly users: { readonly [name: string]: { readonly password: string } }
    readonly storage: object
  }) => ImapServer
  export default hoodiecrow
}
