export { makeTestIds } from "@parley/memory"
export * from "./rows/access.js"
export * from "./rows/automations.js"
export * from "./rows/channels.js"
export * from "./rows/channelsNamed.js"
export * from "./rows/contacts.js"
export * from "./rows/conversations.js"
export * from "./rows/desk.js"
export * from "./rows/operations.js"
export {
  someApplicationId,
  someConnectionId,
  someContactId,
  someConversationId,
  someEndpointId,
  someTime,
  someWorkflowId,
  someWorkspaceId
} from "./rows/some.js"
export * from "./rows/webhooks.js"
