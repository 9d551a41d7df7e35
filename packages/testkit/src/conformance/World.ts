import { type Administration, administration } from "./Administration.js"
import { type Caller, caller } from "./Caller.js"
import { eventually } from "./eventually.js"
import { type Inbox, openReceiver, type ReceiverOptions } from "./Receiver.js"
import type { Channel } from "./Resources.js"
import { retryRateLimited } from "./retryRateLimited.js"
import { type Wire, wireTo } from "./Wire.js"
import { makeWorkspace, type Tenant, type Workspace } from "./Workspace.js"

/** The deployment to test. */
export interface Deployment {
  /** The URLs of its hosts, without `/api/v1`. Requests are sent to them in turn. */
  readonly baseUrls: ReadonlyArray<string>
  readonly adminToken: string
  /** How long asynchronous things may take, in milliseconds: 30 s where it is left out. */
  readonly timeout?: number
  /** Where webhooks reach the suite: by default a server on loopback, for deployments that allow http and loopback. */
  readonly receiver?: ReceiverOptions
}

/** The environment of the tests. */
export interface World {
  readonly wire: Wire
  readonly admin: Administration
  /** Who has no credential. */
  readonly anonymous: Caller
  /** A workspace of its own with connections on these channels, or on all. */
  readonly workspace: (channels?: ReadonlyArray<Channel>) => Promise<Workspace>
  /** The same with an application. */
  readonly tenant: (channels?: ReadonlyArray<Channel>) => Promise<Tenant>
  /** A client with another token, such as an access token. */
  readonly as: (token: string) => Caller
  readonly inbox: () => Inbox
  /** Polls until `look` returns something. */
  readonly until: <A>(what: string, look: () => A | undefined | Promise<A | undefined>) => Promise<A>
  /** Runs after all tests. */
  readonly afterwards: (last: () => Promise<unknown>) => void
  readonly close: () => Promise<void>
}

export const openWorld = async ({ baseUrls, adminToken, timeout = 30_000, receiver }: Deployment): Promise<World> => {
  const wire = wireTo(baseUrls)
  const admin = administration(wire, adminToken)
  const hooks = await openReceiver(receiver)
  const lasts: Array<() => Promise<unknown>> = []
  const workspace: World["workspace"] = (channels) => makeWorkspace(wire, admin, channels)
  const tenant: World["tenant"] = async (channels) => {
    const made = await workspace(channels)
    return { ...made, app: await made.application() }
  }
  return {
    wire,
    admin,
    anonymous: caller(retryRateLimited(wire), "/api/v1", null),
    as: (token) => caller(wire, "/api/v1", token),
    workspace,
    tenant,
    inbox: hooks.inbox,
    until: (what, look) => eventually(what, timeout, look),
    afterwards: (last) => {
      lasts.push(last)
    },
    close: async () => {
      for (const last of lasts) await last()
      await hooks.close()
    }
  }
}
