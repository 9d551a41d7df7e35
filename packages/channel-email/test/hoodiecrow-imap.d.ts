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

  interface ImapServer {
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
