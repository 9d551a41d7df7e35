import { FiberRef, GlobalValue } from "effect"
import type { LoggedRequest } from "./LoggedRequest.js"

/**
 * The application whose valid credential this fiber's request showed, were it let in or not: whose log the request belongs
 * to. Null where it showed none.
 */
export const requester: FiberRef.FiberRef<Pick<LoggedRequest, "applicationId" | "workspaceId"> | null> =
  GlobalValue.globalValue("@parley/core/requester", () =>
    FiberRef.unsafeMake<Pick<LoggedRequest, "applicationId" | "workspaceId"> | null>(null)
  )
