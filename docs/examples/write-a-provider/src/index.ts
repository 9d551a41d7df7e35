export { courier } from "./courier.js"
