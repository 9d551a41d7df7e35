import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  CheckResource,
  ConnectionInput,
  ConnectionPatch,
  ConnectionResource,
  HistoryImportInput,
  HistoryImportResource,
  MessageResource,
  ProviderResource,
  SimulatedInbound,
  SyncedResource,
  WorkspaceListQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "connection")

/** Channel connections: a workspace's accounts on channels. */
export const ConnectionsGroup = HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.post("create")`/connections`
      .setPayload(ConnectionInput)
      .addSuccess(single(ConnectionResource), { status: 201 })
      .annotate(Raises, ["connection_owned_elsewhere"])
      .annotate(OpenApi.Summary, "Connect a channel")
  )
  .add(
    HttpApiEndpoint.get("list")`/connections`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(ConnectionResource))
      .annotate(OpenApi.Summary, "List connections, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/connections/${id}`
      .addSuccess(single(ConnectionResource))
      .annotate(OpenApi.Summary, "Read one connection")
  )
  .add(
    HttpApiEndpoint.patch("update")`/connections/${id}`
      .setPayload(ConnectionPatch)
      .addSuccess(single(ConnectionResource))
      .annotate(Raises, ["connection_owned_elsewhere"])
      .annotate(OpenApi.Summary, "Change a connection, pause, disconnect or activate it")
  )
  .add(
    HttpApiEndpoint.post("check")`/connections/${id}/check`
      .addSuccess(single(CheckResource))
      .annotate(Raises, ["validation_failed"])
      .annotate(OpenApi.Summary, "Test a connection's settings without sending anything")
  )
  .add(
    HttpApiEndpoint.post("setUp")`/connections/${id}/setup`
      .addSuccess(single(CheckResource))
      .annotate(Raises, ["channel_setup_failed", "validation_failed"])
      .annotate(OpenApi.Summary, "Register a connection's webhook with the vendor")
  )
  .add(
    HttpApiEndpoint.post("syncTemplates")`/connections/${id}/sync-templates`
      .addSuccess(single(SyncedResource))
      .annotate(Raises, ["provider_error", "validation_failed"])
      .annotate(OpenApi.Summary, "Sync the templates of a connection's account now")
  )
  .add(
    HttpApiEndpoint.post("importHistory")`/connections/${id}/import-history`
      .setPayload(HistoryImportInput)
      .addSuccess(single(HistoryImportResource))
      .annotate(Raises, ["provider_error", "validation_failed"])
      .annotate(OpenApi.Summary, "Import what was written on a connection's account before it was connected")
  )
  .add(
    HttpApiEndpoint.get("providers")`/providers`
      .addSuccess(cursorPage(ProviderResource))
      .annotate(OpenApi.Summary, "List the available providers and the settings of each")
  )
  .add(
    HttpApiEndpoint.post("simulateInbound")`/connections/${id}/simulate-inbound`
      .setPayload(SimulatedInbound)
      .addSuccess(single(MessageResource), { status: 201 })
      .annotate(OpenApi.Summary, "Let a customer write to a sandbox connection")
  )
  .annotate(OpenApi.Title, "Connections")
  .annotate(OpenApi.Description, "A workspace's accounts on channels.")
