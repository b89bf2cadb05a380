/**
 * Stores one event: one round trip, and atomic, because two processes may write for one session. At a limit the oldest
 * tenth goes, finished streams first, as in the memory store; `order` remembers the age across streams.
 *
 * KEYS: order, streams, meta. ARGV: stream id, a fresh token, message, is a call running, max events, max bytes, max age,
 * prefix of the streams' keys.
 */
export const STORE_SCRIPT = `
local order, streams, meta = KEYS[1], KEYS[2], KEYS[3]
local token = redis.call('HGET', streams, 'id:' .. ARGV[1])
if not token then
  token = ARGV[2]
  redis.call('HSET', streams, 'id:' .. ARGV[1], token, 'token:' .. token, ARGV[1])
end

local number = redis.call('HINCRBY', meta, 'last:' .. token, 1)
redis.call('XADD', ARGV[8] .. token, number .. '-0', 'm', ARGV[3])
redis.call('HSET', meta, 'running:' .. token, ARGV[4])
redis.call('RPUSH', order, token .. ' ' .. number .. ' ' .. #ARGV[3])
local bytes = redis.call('HINCRBY', meta, 'bytes', #ARGV[3])
local count = redis.call('LLEN', order)

local maxEvents, maxBytes = tonumber(ARGV[5]), tonumber(ARGV[6])
if count > maxEvents or bytes > maxBytes then
  local function isOver() return count > maxEvents * 0.9 or bytes > maxBytes * 0.9 end
  local function evict(mayGo)
    local kept = {}
    for _ = 1, redis.call('LLEN', order) - 1 do
      if not isOver() then break end
      local entry = redis.call('LPOP', order)
      local owner, place, size = entry:match('^(%S+) (%d+) (%d+)$')
      if mayGo(owner) then
        redis.call('XDEL', ARGV[8] .. owner, place .. '-0')
        count, bytes = count - 1, bytes - tonumber(size)
      else
        kept[#kept + 1] = entry
      end
    end
    for at = #kept, 1, -1 do redis.call('LPUSH', order, kept[at]) end
  end
  evict(function(owner) return redis.call('HGET', meta, 'running:' .. owner) == '0' end)
  evict(function() return true end)
  redis.call('HSET', meta, 'bytes', bytes)
end

for _, key in ipairs({ order, streams, meta, ARGV[8] .. token }) do redis.call('PEXPIRE', key, ARGV[7]) end
return token .. '.' .. number
`;
