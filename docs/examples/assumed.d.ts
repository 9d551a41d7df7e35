/**
 * Names that code blocks of the documentation use without declaring them. A test compiles the blocks with these
 * declarations.
 */
export {}

declare global {
  type Parley = import("@parley/embed").Parley
  type ParleyOptions = import("@parley/embed").ParleyOptions

  // What the page has imported.
  const createParley: typeof import("@parley/embed").createParley
  const createTestParley: typeof import("@parley/embed/testing").createTestParley
  const email: typeof import("@parley/embed/email").email
  const messenger: typeof import("@parley/embed/messenger").messenger
  const sandbox: typeof import("@parley/embed/sandbox").sandbox
  const sms: typeof import("@parley/embed/sms").sms
  const telegram: typeof import("@parley/embed/telegram").telegram
  const proofOfWork: typeof import("@parley/embed/webchat").proofOfWork
  const webchat: typeof import("@parley/embed/webchat").webchat
  const whatsapp: typeof import("@parley/embed/whatsapp").whatsapp
  const declaration: typeof import("./testing/reminders.js").declaration
  const expect: typeof import("vitest").expect
  const NestFactory: typeof import("@nestjs/core").NestFactory
  const pino: typeof import("pino").pino
  const Pool: typeof import("pg").Pool

  // What the page has made.
  const parley: Parley
  const options: ParleyOptions
  const secretKey: string
  const blobs: { readonly folder: string }
  const workspace: { readonly id: string }
  const application: { readonly id: string }
  const PARLEY: symbol
  class AppModule {}

  // The reader's own service.
  const url: string
  const client: import("pg").PoolClient
  const order: { readonly id: string; readonly email: string }
  const notes: { readonly add: (text: string | null) => Promise<void> }
  const transcripts: { readonly append: (event: object) => Promise<void> }
  const audit: { readonly add: (applicationId: string | null, event: object) => Promise<void> }
  const balanceOf: (workspaceId: string) => Promise<number>
  const start: () => Promise<string>
}
