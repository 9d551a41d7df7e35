export * from "../Answer.js"
export type { ChannelName } from "../ChannelName.js"
export type { ClientOptions, CreateOptions, RequestOptions } from "../ClientOptions.js"
export type { AdminSchemas } from "../generated/admin.js"
export {
  type ClientErrorCode,
  type ErrorCode,
  isParleyError,
  type OAuthErrorCode,
  ParleyError
} from "../ParleyError.js"
export { type AdminClient, type AdminOptions, createAdminClient } from "./createAdminClient.js"
