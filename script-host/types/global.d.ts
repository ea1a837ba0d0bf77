// The names of the API without an import. In tsconfig.json: "types": ["@goondan/types/global"].
import type * as goondan from './index';

declare global {
  type ExtensionApi = goondan.ExtensionApi;
  type JsonArray = goondan.JsonArray;
  type JsonObject = goondan.JsonObject;
  type JsonValue = goondan.JsonValue;
  type ToolCallResult = goondan.ToolCallResult;
  type ToolContext = goondan.ToolContext;
  type ToolHandler = goondan.ToolHandler;
}
