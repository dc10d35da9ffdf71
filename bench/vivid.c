/* Vivid Memories at random for two to four players, in plain C: the yardstick for the compiled rules.
 *
 * The same rules and the same stream of numbers, so every game ends as ours does; written for speed as one would in C: play goes from
 * phase to phase without asking who acts, hexes are bytes (five bits of colours, two of doubles), sets of hexes, colours and tiles are bits.
 * It keeps what play needs and the points of each round; not what a page asks for.
 *
 *     cc -O3 -march=native -o vivid vivid.c
 *     ./vivid PLAYERS GAMES        prints moves, draws, seconds of processor time, and a checksum of all results
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEXES = 19, TILES = 20, ROUNDS = 3, SLOTS = 4, LINE = 6, ALL = (1 << HEXES) - 1 };
enum { COMBINE, SPECULATE, NUDGE, SWAP };
enum { DONE_BIT = 95, LAYING = 1, CHOOSING = 2 };

typedef unsigned __int128 u128;

static const uint32_t TOUCH[18] = {
    1 << 16, 3 << 16, 3 << 17, 1 << 18, 1 << 15 | 1 << 18, 1 << 11 | 1 << 15, 1 << 11, 1 << 6 | 1 << 11, 1 << 2 | 1 << 6,
    1 << 2, 3 << 1, 3 << 0, 1 << 0, 1 << 0 | 1 << 3, 1 << 3 | 1 << 7, 1 << 7, 1 << 7 | 1 << 12, 1 << 12 | 1 << 16};
static const int8_t SLOT_OF_FIRST[18] = {0, 1, 2, 3, 4, -1, 0, 1, 3, 4, 2, -1, 0, 1, 4, 2, 3, -1}; /* board 1; others are moved on by one */
static const uint32_t CORE[8] = {7, 3 << 3, 7 << 6, 3 << 9, 3 << 12, 1 << 14, 1 << 15, 1 << 16};
static const int CORE_PAYS[8] = {18, 4, 18, 4, 4, 1, 1, 1};

typedef struct {
    int8_t splits, shows, a, b, pays;
    uint8_t pattern;
} Tile;

typedef struct {
    uint8_t hex[HEXES];
    uint32_t ones, twos, filled, owed;
    uint32_t claimed, cherished;
    int8_t bank[SLOTS];
    uint8_t flipped, used;
    int8_t state, slot, task, held, what, aspiration;
    int16_t moments[ROUNDS], threads[ROUNDS], core[ROUNDS], aspired;
} Board;

typedef struct {
    uint32_t stream;
    int players, start, round, first, last;
    int8_t bag[5], supply[5], line[LINE];
    int8_t tokens[LINE][5];
    uint8_t on[LINE];
    uint32_t deck;
    int ample;
    uint64_t moves, draws;
    Board boards[4];
} Game;

static Tile TILE[TILES];
static uint8_t WITH[128][5], LESS[128][5];
static uint32_t NEAR[HEXES];
static int8_t SLOT[4][18];
static uint32_t SLOTS_OF[4][5];
static uint64_t GIVES[TILES];
static int TWICE = 1; /* the most of one colour that a tile gives */

/* ------------------------------------------------------------ chance */

static void sow(Game *g, uint32_t key)
{
    uint32_t x = key + 1;
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    x *= 0xC2B2AE35u;
    x ^= x >> 16;
    g->stream = x | 1;
}

static inline uint32_t below(Game *g, uint32_t n)
{
    uint32_t x = g->stream;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    g->stream = x;
    return (uint32_t)(((uint64_t)x * n) >> 32);
}

/* The k-th member of a set: halves are counted, so that there is no branch to guess. */
static inline int nth(uint64_t set, int k)
{
    int i = 0;
    for (int step = 32; step; step >>= 1) {
        int n = __builtin_popcountll(set & ((1ull << step) - 1));
        int up = n <= k;
        k -= up ? n : 0;
        i += up ? step : 0;
        set >>= up ? step : 0;
    }
    return i;
}

static inline int pick(Game *g, uint64_t set)
{
    return nth(set, below(g, __builtin_popcountll(set)));
}

static inline int choose(Game *g, uint64_t set)
{
    g->moves++;
    return pick(g, set);
}

static inline int choose_wide(Game *g, u128 set)
{
    g->moves++;
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    int n = __builtin_popcountll(low), k = below(g, n + __builtin_popcountll(high));
    return k < n ? nth(low, k) : 64 + nth(high, k - n);
}

static inline int bag_size(const Game *g)
{
    return g->bag[0] + g->bag[1] + g->bag[2] + g->bag[3] + g->bag[4];
}

static inline int draw(Game *g)
{
    g->draws++;
    int k = below(g, bag_size(g)), c = 0;
    while (k >= g->bag[c])
        k -= g->bag[c++];
    g->bag[c]--;
    return c;
}

/* ------------------------------------------------------------ hexes */

static inline int size_of(int handful)
{
    int n = __builtin_popcount(handful & 31) + (handful >> 5);
    return n < 3 ? n : 3;
}

static inline void hold(Board *b, int h, int handful)
{
    uint32_t n = size_of(handful);
    b->hex[h] = handful;
    b->ones = (b->ones & ~(1u << h)) | (n & 1) << h;
    b->twos = (b->twos & ~(1u << h)) | (n >> 1) << h;
}

static inline void put(Board *b, int h, int c) { hold(b, h, WITH[b->hex[h]][c]); }
static inline void lift(Board *b, int h, int c) { hold(b, h, LESS[b->hex[h]][c]); }
static inline uint32_t empty(const Board *b) { return ALL & ~(b->ones | b->twos); }
static inline uint32_t occupied(const Board *b) { return b->ones | b->twos; }
static inline uint32_t roomy(const Board *b) { return ALL & ~(b->ones & b->twos); }

/* The hexes that touch one of these: 1, 3, 4 or 5 places further on, as rows are 3, 4, 5, 4 and 3 long. */
static inline uint32_t around(uint32_t x)
{
    enum { BY_1 = 0x377bb, BY_3 = 0xe007, BY_4 = 0x7f7f, BY_5 = 0x7f8 };
    return (x & BY_1) << 1 | (x >> 1 & BY_1) | (x & BY_3) << 3 | (x >> 3 & BY_3) | (x & BY_4) << 4 | (x >> 4 & BY_4) | (x & BY_5) << 5 |
           (x >> 5 & BY_5);
}

static inline uint32_t having(const Board *b, int c)
{
    uint32_t found = 0;
    for (int h = 0; h < HEXES; h++)
        found |= (uint32_t)(b->hex[h] >> c & 1) << h;
    return found;
}

static inline u128 picks(const Board *b, uint32_t hexes, int colours)
{
    uint64_t low = 0, high = 0;
    for (int h = 0; h < 12; h++)
        low |= (uint64_t)(b->hex[h] & colours & -(hexes >> h & 1)) << 5 * h;
    for (int h = 13; h < HEXES; h++)
        high |= (uint64_t)(b->hex[h] & colours & -(hexes >> h & 1)) << (5 * h - 64);
    uint64_t middle = b->hex[12] & colours & -(hexes >> 12 & 1);
    return (u128)(high | middle >> 4) << 64 | (low | middle << 60);
}

/* ------------------------------------------------------------ prepare */

static void deal_line(Game *g)
{
    int n = g->players + 2, each = g->players == 2 ? 4 : 5;
    for (int i = 0; i < n; i++) {
        g->draws++;
        g->line[i] = pick(g, g->deck);
        g->deck &= ~(1u << g->line[i]);
    }
    memset(g->tokens, 0, sizeof g->tokens);
    memset(g->on, 0, sizeof g->on);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < each; k++) {
            if (bag_size(g) == 0)
                for (int c = 0; c < 5; c++)
                    if (g->supply[c] > 0)
                        g->supply[c]--, g->bag[c]++;
            int c = draw(g);
            g->tokens[i][c]++;
            g->on[i] += 1;
        }
    g->first = 0;
    g->last = n - 1;
}

static inline int has(const Game *g, int i)
{
    const int8_t *t = g->tokens[i];
    return (t[0] > 0) | (t[1] > 0) << 1 | (t[2] > 0) << 2 | (t[3] > 0) << 3 | (t[4] > 0) << 4;
}

/* ------------------------------------------------------------ remember */

/* Fragments move out of one hex or into one; `forced`: there is no empty hex, and one must be made. */
static int empties_source(const Board *b, int h, int moved, int out)
{
    if (moved && out != h)
        return 0;
    int room = 0;
    for (uint32_t n = NEAR[h]; n; n &= n - 1)
        room += 3 - size_of(b->hex[__builtin_ctz(n)]);
    return size_of(b->hex[h]) <= room;
}

static int empties_neighbour(const Board *b, int h, int t, int moved, int into)
{
    if (size_of(b->hex[h]) == 1)
        return 1;
    if (moved && into != t)
        return 0;
    int room = 3 - size_of(b->hex[t]) - 1;
    for (uint32_t n = NEAR[t]; n; n &= n - 1) {
        int x = __builtin_ctz(n);
        if (size_of(b->hex[x]) - (x == h) <= room)
            return 1;
    }
    return 0;
}

static uint32_t targets(const Board *b, int h, int moved, int out, int into, int forced)
{
    uint32_t to = NEAR[h] & roomy(b);
    if (moved && h != out)
        to &= into >= 0 ? 1u << into : 0;
    if (forced) {
        uint32_t kept = 0;
        for (uint32_t t = to; t; t &= t - 1) {
            int x = __builtin_ctz(t);
            if (empties_source(b, h, moved, out) || empties_neighbour(b, h, x, moved, into))
                kept |= 1u << x;
        }
        to = kept;
    }
    return to;
}

static void rewire(Game *g, Board *b, int forced)
{
    int moved = 0, out = -1, into = -1;
    for (;;) {
        uint32_t some = occupied(b), room = roomy(b), from = 0;
        if (!moved)
            from = some & around(room);
        else {
            if (out >= 0 && (some >> out & 1) && NEAR[out] & room)
                from = 1u << out;
            if (into >= 0 && (room >> into & 1))
                from |= NEAR[into] & some;
        }
        int may_stop = 1;
        if (forced) {
            uint32_t kept = 0;
            for (uint32_t f = from; f; f &= f - 1) {
                int h = __builtin_ctz(f);
                if (targets(b, h, moved, out, into, 1))
                    kept |= 1u << h;
            }
            from = kept;
            may_stop = !from || empty(b);
        }
        int action = choose_wide(g, picks(b, from, 31) | (u128)may_stop << DONE_BIT);
        if (action == DONE_BIT)
            return;
        int h = action / 5, c = action % 5;
        int t = choose(g, targets(b, h, moved, out, into, forced));
        lift(b, h, c);
        put(b, t, c);
        out = !moved || out == h ? h : -1;
        into = !moved || into == t ? t : -1;
        moved++;
    }
}

static inline int take_from(Game *g, int i, int c, int *hand)
{
    g->tokens[i][c]--;
    *hand = WITH[*hand][c];
    return --g->on[i] == 0;
}

static void take_turn(Game *g, int seat)
{
    Board *b = &g->boards[seat];
    if (!empty(b)) {
        rewire(g, b, 1);
        return;
    }
    int hand = 0, right = 0;
    int a = choose(g, has(g, g->first) | (g->first < g->last ? has(g, g->last) << 5 : 0));
    right = a >= 5;
    for (int c = a % 5;;) {
        int i = right ? g->last : g->first;
        if (take_from(g, i, c, &hand)) {
            if (right)
                g->last--;
            else
                g->first++;
        }
        int n = size_of(hand), mine = hand & 31, more = 0, alike = !(mine & (mine - 1));
        if (g->first <= g->last && n < 3 && (n == 1 || !alike)) {
            i = right ? g->last : g->first;
            int there = has(g, i), others = there & ~mine;
            if (n == 2)
                more = others;
            else if (g->on[i] > 1)
                more = others & (others - 1) ? there : there & mine;
            else {
                int next = right ? i - 1 : i + 1;
                int third = next >= g->first && next <= g->last ? has(g, next) & ~mine & ~there : 0;
                more = third ? there : there & mine;
            }
        }
        uint32_t set = (uint32_t)more << (right ? 5 : 0) | (n == 3 || alike ? empty(b) << 10 : 0);
        a = choose(g, set);
        if (a >= 10)
            break;
        c = a % 5;
    }
    hold(b, a - 10, hand);
    for (int i = 0; i < g->players + 2; i++)
        if (g->line[i] >= 0 && (i < g->first || i > g->last)) {
            b->claimed |= 1u << g->line[i];
            g->line[i] = -1;
        }
    if (size_of(hand) == 1)
        rewire(g, b, 0);
}

static void remember(Game *g)
{
    int seat = g->start;
    for (;;) {
        take_turn(g, seat);
        int next = seat + 1 < g->players ? seat + 1 : 0;
        if (g->first > g->last) {
            if (g->round < ROUNDS - 1)
                g->start = next;
            return;
        }
        seat = next;
    }
}

/* ------------------------------------------------------------ reflect: who may act, one byte a colour */

static const uint64_t EACH = 0x0101010101, HIGH = 0x8080808080;

static inline int bank_open(const Board *b, int k) { return b->bank[k] < 0 && !(b->used >> k & 1); }

static int spare(const Board *b) /* bank slots without a tile when all are laid that must be; below 0: tiles without a slot */
{
    int n = 0;
    for (int k = 0; k < SLOTS; k++)
        n += b->bank[k] < 0;
    return b->state == LAYING ? n - __builtin_popcount(b->claimed) : n;
}

static inline int draws_on(const Board *b) { return bank_open(b, SPECULATE) && spare(b) > 0; }

static uint64_t no_more(uint64_t n, int slots) /* of each colour as many as tiles on so many slots can give */
{
    uint64_t most = 0;
    for (int c = 0; c < 5; c++) {
        uint64_t some = n >> 8 * c & 0xFF, limit = slots * TWICE;
        most |= (some < limit ? some : limit) << 8 * c;
    }
    return most;
}

static uint64_t wanted(const Board *b)
{
    uint64_t n = 0, laid = 0;
    int free = 0;
    for (int k = 0; k < SLOTS; k++)
        if (b->bank[k] < 0)
            free++;
        else if (!(b->flipped >> k & 1))
            n += GIVES[b->bank[k]];
    if (b->state == LAYING)
        for (uint32_t t = b->claimed; t; t &= t - 1)
            laid += GIVES[__builtin_ctz(t)];
    int left = spare(b);
    if (left < 0)
        return n + no_more(laid, free);
    return n + laid + ((left > 0 || b->state != LAYING) && bank_open(b, COMBINE) ? EACH : 0);
}

static uint64_t stock(const Game *g)
{
    uint64_t n = 0;
    for (int c = 0; c < 5; c++)
        n |= (uint64_t)g->supply[c] << 8 * c;
    return n;
}

static inline uint64_t short_of(uint64_t there, uint64_t taken) { return ~((there | HIGH) - taken) & HIGH; }

static int is_ample(const Game *g)
{
    uint64_t taken = 0;
    int draws = 0;
    for (int i = 0; i < g->players; i++) {
        taken += wanted(&g->boards[i]);
        draws += draws_on(&g->boards[i]);
    }
    return !short_of(stock(g), taken) && bag_size(g) >= draws;
}

static int acting(const Game *g)
{
    int who = 0;
    if (g->ample) {
        for (int i = 0; i < g->players; i++)
            who |= (g->boards[i].state != 0) << i;
        return who;
    }
    uint64_t taken = 0, there = stock(g);
    int draws = 0, bag = bag_size(g), seat = g->start;
    for (int i = 0; i < g->players; i++, seat = seat + 1 < g->players ? seat + 1 : 0) {
        const Board *b = &g->boards[seat];
        if (!b->state)
            continue;
        uint64_t mine = wanted(b);
        int draw = draws_on(b);
        taken += mine;
        draws += draw;
        int enough = !(short_of(there, taken) & (mine + HIGH - EACH)) && (!draw || draws <= bag);
        if (!who || enough || b->state == LAYING)
            who |= 1 << seat;
    }
    return who;
}

/* ------------------------------------------------------------ reflect: what is done */

enum { NONE, ADD, SPLIT, SPLIT_INTO, COMBINING, COMBINE_INTO, SPECULATING, NUDGING, SWAPPING };

static inline void from_supply(Game *g, Board *b, int h, int c) { g->supply[c]--, put(b, h, c); }
static inline void to_supply(Game *g, Board *b, int h, int c) { g->supply[c]++, lift(b, h, c); }

static uint32_t splittable(const Game *g, const Board *b, const Tile *t)
{
    int x = g->supply[t->a] > 0, y = g->supply[t->b] > 0;
    if (x && y && (t->a != t->b || g->supply[t->a] > 1))
        return occupied(b);
    return x || y ? b->ones & b->twos & having(b, t->shows) : 0;
}

static int can_use(const Game *g, const Board *b, int k, int there)
{
    int tile = b->bank[k];
    if (tile >= 0) {
        const Tile *t = &TILE[tile];
        if (b->flipped >> k & 1)
            return 0;
        if (!t->splits)
            return g->supply[t->shows] > 0 && empty(b);
        return (there >> t->shows & 1) && splittable(g, b, t);
    }
    if (b->used >> k & 1)
        return 0;
    if (k == COMBINE)
        return b->twos != 0;
    if (k == SPECULATE)
        return empty(b) && bag_size(g) > 0;
    return (occupied(b) & around(k == NUDGE ? roomy(b) : occupied(b))) != 0;
}

static void lay(Game *g, Board *b)
{
    int free = 0;
    for (int k = 0; k < SLOTS; k++)
        free |= (b->bank[k] < 0) << k;
    int excess = __builtin_popcount(b->claimed) > __builtin_popcount(free);
    int k = choose(g, free | excess << 4);
    int tile = __builtin_ctz(b->claimed);
    b->claimed &= b->claimed - 1;
    if (k < 4) {
        b->bank[k] = tile;
        b->flipped &= ~(1 << k);
    }
    if (!b->claimed)
        b->state = CHOOSING;
}

static void use(Game *g, Board *b)
{
    int there = 0, set = 1;
    for (int h = 0; h < HEXES; h++)
        there |= b->hex[h];
    for (int k = 0; k < SLOTS; k++)
        set |= can_use(g, b, k, there) << (k + 1);
    int a = choose(g, set);
    if (a == 0) {
        b->state = 0;
        return;
    }
    int k = a - 1, tile = b->bank[k];
    b->slot = k;
    if (tile >= 0)
        b->task = TILE[tile].splits ? SPLIT : ADD;
    else if (k == SPECULATE) {
        b->what = draw(g);
        b->used |= 1 << SPECULATE;
        b->task = SPECULATING;
    } else
        b->task = k == COMBINE ? COMBINING : k == NUDGE ? NUDGING : SWAPPING;
}

/* One step of an action; 1 when it is done. */
static int act(Game *g, Board *b)
{
    int tile = b->bank[b->slot], a, h;
    const Tile *t = &TILE[tile < 0 ? 0 : tile];
    switch (b->task) {
    case ADD:
        from_supply(g, b, choose(g, empty(b)), t->shows);
        return 1;
    case SPECULATING:
        put(b, choose(g, empty(b)), b->what);
        return 1;
    case SPLIT:
        a = choose_wide(g, picks(b, splittable(g, b, t), 1 << t->shows));
        h = a / 5;
        if (size_of(b->hex[h]) == 3) {
            b->held = h, b->what = a % 5, b->task = SPLIT_INTO;
            return 0;
        }
        from_supply(g, b, h, t->a);
        to_supply(g, b, h, a % 5);
        from_supply(g, b, h, t->b);
        return 1;
    case SPLIT_INTO:
        a = choose(g, (g->supply[t->a] > 0) << t->a | (g->supply[t->b] > 0) << t->b);
        to_supply(g, b, b->held, b->what);
        from_supply(g, b, b->held, a);
        return 1;
    case COMBINING:
        a = choose_wide(g, picks(b, b->held < 0 ? b->twos : 1u << b->held, 31));
        to_supply(g, b, a / 5, a % 5);
        if (b->held < 0)
            b->held = a / 5;
        else
            b->task = COMBINE_INTO;
        return 0;
    case COMBINE_INTO: {
        int set = 0;
        for (int c = 0; c < 5; c++)
            set |= (g->supply[c] > 0) << c;
        from_supply(g, b, b->held, choose(g, set));
        return 1;
    }
    case NUDGING:
        if (b->held < 0) {
            a = choose_wide(g, picks(b, occupied(b) & around(roomy(b)), 31));
            b->held = a / 5, b->what = a % 5;
            return 0;
        }
        h = choose(g, NEAR[b->held] & roomy(b));
        lift(b, b->held, b->what);
        put(b, h, b->what);
        return 1;
    default:
        a = choose_wide(g, picks(b, occupied(b) & (b->held < 0 ? around(occupied(b)) : NEAR[b->held]), 31));
        if (b->held < 0) {
            b->held = a / 5, b->what = a % 5;
            return 0;
        }
        lift(b, b->held, b->what);
        lift(b, a / 5, a % 5);
        put(b, a / 5, b->what);
        put(b, b->held, a % 5);
        return 1;
    }
}

static void reflect(Game *g)
{
    for (int i = 0; i < g->players; i++)
        g->boards[i].state = g->boards[i].claimed ? LAYING : CHOOSING;
    g->ample = is_ample(g);
    for (int who = acting(g); who; who = acting(g)) {
        Board *b = &g->boards[who & (who - 1) ? pick(g, who) : __builtin_ctz(who)];
        if (b->state == LAYING)
            lay(g, b);
        else if (b->task == NONE)
            use(g, b);
        else if (act(g, b)) {
            if (b->bank[b->slot] >= 0)
                b->flipped |= 1 << b->slot;
            else
                b->used |= 1 << b->slot;
            b->task = NONE;
            b->held = -1;
        }
    }
}

/* ------------------------------------------------------------ reward */

static void pay_moments(Game *g, Board *b)
{
    for (int k = 0; k < SLOTS; k++)
        if (b->flipped >> k & 1) {
            int tile = b->bank[k], n = 0;
            for (int h = 0; h < HEXES; h++)
                n += b->hex[h] == TILE[tile].pattern;
            if (n) {
                b->moments[g->round] += TILE[tile].pays * n;
                b->cherished |= 1u << tile;
                b->bank[k] = -1;
                b->flipped &= ~(1 << k);
            }
        }
}

static uint32_t touched(int seat, int c, uint32_t hexes)
{
    uint32_t found = 0;
    for (uint32_t left = SLOTS_OF[seat][c]; left; left &= left - 1)
        if (TOUCH[__builtin_ctz(left)] & hexes)
            found |= left & -left;
    return found;
}

static void pay_threads(Game *g, Board *b, int seat)
{
    for (int c = 0; c < 5; c++) {
        uint32_t left = having(b, c);
        if (__builtin_popcount(touched(seat, c, left)) < 2)
            continue;
        while (left) {
            uint32_t part = 0, edge = left & -left;
            while (edge) {
                part |= edge;
                edge = around(edge) & left & ~part;
            }
            left &= ~part;
            uint32_t slots = touched(seat, c, part);
            slots = __builtin_popcount(slots) >= 2 ? slots & ~b->filled : 0;
            b->threads[g->round] += __builtin_popcount(part) * __builtin_popcount(slots);
            b->owed |= slots;
        }
    }
}

/* Fragments move into slots; 1 when the player is to choose. */
static int build(Game *g, Board *b, int seat)
{
    while (b->owed) {
        int place = __builtin_ctz(b->owed), c = SLOT[seat][place];
        uint32_t hexes = TOUCH[place] & having(b, c);
        if (hexes & (hexes - 1) && g->round < ROUNDS - 1)
            return 1;
        lift(b, __builtin_ctz(hexes), c);
        b->owed &= b->owed - 1;
        b->filled |= 1u << place;
    }
    return 0;
}

static void give_threads(Game *g)
{
    int who = 0;
    for (int i = 0; i < g->players; i++) {
        pay_threads(g, &g->boards[i], i);
        who |= build(g, &g->boards[i], i) << i;
    }
    while (who) {
        int seat = who & (who - 1) ? pick(g, who) : __builtin_ctz(who);
        Board *b = &g->boards[seat];
        int place = __builtin_ctz(b->owed), c = SLOT[seat][place];
        int a = choose_wide(g, picks(b, TOUCH[place], 1 << c));
        lift(b, a / 5, c);
        b->owed &= b->owed - 1;
        b->filled |= 1u << place;
        if (!build(g, b, seat))
            who &= ~(1 << seat);
    }
}

static void count_one(Game *g)
{
    choose(g, 1);
}

/* How many of a colour there are in a hex. */
static int times(int handful, int c)
{
    int n = 0;
    for (; handful >> c & 1; handful = LESS[handful][c])
        n++;
    return n;
}

static void reward(Game *g)
{
    for (int i = 0; i < g->players; i++)
        g->boards[i].used = 0;
    count_one(g);
    for (int i = 0; i < g->players; i++)
        pay_moments(g, &g->boards[i]);
    count_one(g);
    give_threads(g);
    count_one(g);
    for (int i = 0; i < g->players; i++)
        for (int k = 0; k < 8; k++)
            if (!(CORE[k] & ~g->boards[i].filled))
                g->boards[i].core[g->round] += CORE_PAYS[k];
    if (g->round < ROUNDS - 1)
        return;
    count_one(g);
    for (int i = 0; i < g->players; i++) {
        Board *b = &g->boards[i];
        int c = b->aspiration, points = 2 * __builtin_popcount(b->filled & SLOTS_OF[i][c]);
        for (uint32_t t = b->cherished; t; t &= t - 1)
            points += TILE[__builtin_ctz(t)].pattern >> c & 1 ? 5 : 0;
        for (int h = 0; h < HEXES; h++)
            points += times(b->hex[h], c);
        b->aspired = points;
    }
}

/* ------------------------------------------------------------ a game */

static void play(Game *g, uint32_t key)
{
    int each = g->players == 2 ? 11 : g->players == 3 ? 17 : 20;
    sow(g, key);
    g->deck = (1u << TILES) - 1;
    memset(g->boards, 0, sizeof g->boards);
    for (int c = 0; c < 5; c++) {
        g->bag[c] = each;
        g->supply[c] = 25 - each;
    }
    for (int i = 0; i < 4; i++) {
        memset(g->boards[i].bank, -1, SLOTS);
        g->boards[i].held = -1;
    }
    g->draws++;
    g->start = below(g, g->players);
    int dreams = 31;
    for (int i = 0; i < g->players; i++) {
        g->draws++;
        g->boards[i].aspiration = pick(g, dreams);
        dreams &= ~(1 << g->boards[i].aspiration);
    }
    for (g->round = 0; g->round < ROUNDS; g->round++) {
        deal_line(g);
        remember(g);
        reflect(g);
        reward(g);
    }
}

/* ------------------------------------------------------------ tables */

static int code_of(const int *counts)
{
    int set = 0, n = 0, kinds = 0, doubled = 0;
    for (int c = 0; c < 5; c++) {
        set |= (counts[c] > 0) << c;
        kinds += counts[c] > 0;
        n += counts[c];
    }
    if (kinds == 1)
        doubled = n - 1;
    else if (kinds == 2 && n == 3)
        for (int c = 0, k = 1; c < 5; c++)
            if (counts[c]) {
                if (counts[c] == 2)
                    doubled = k;
                k++;
            }
    return set | doubled << 5;
}

static void tables_of(const int *counts, int n)
{
    int code = code_of(counts), more[5];
    for (int c = 0; c < 5 && n < 3; c++) {
        memcpy(more, counts, sizeof more);
        more[c]++;
        WITH[code][c] = code_of(more);
        LESS[code_of(more)][c] = code;
        tables_of(more, n + 1);
    }
}

static void make_tables(void)
{
    static const int none[5];
    tables_of(none, 0);
    for (int n = 0; n < TILES; n++) {
        int row = n / 5, c = n % 5, counts[5] = {0};
        Tile *t = &TILE[n];
        t->splits = row & 1;
        t->shows = (c + (row == 0 ? 3 : row == 1 ? 4 : row == 2 ? 1 : 3)) % 5;
        t->a = c, t->b = (c + 2) % 5;
        t->pays = row < 2 ? 4 : 6;
        counts[c]++;
        counts[(c + (row == 1 ? 2 : 1)) % 5]++;
        if (row > 1)
            counts[(c + 2) % 5]++;
        t->pattern = code_of(counts);
        GIVES[n] = t->splits ? (1ull << 8 * t->a) + (1ull << 8 * t->b) : 1ull << 8 * t->shows;
        if (t->splits && t->a == t->b)
            TWICE = 2;
    }
    for (int h = 0; h < HEXES; h++)
        NEAR[h] = around(1u << h);
    for (int seat = 0; seat < 4; seat++)
        for (int p = 0; p < 18; p++) {
            int c = SLOT_OF_FIRST[p];
            SLOT[seat][p] = c < 0 ? -1 : (c + seat) % 5;
            if (c >= 0)
                SLOTS_OF[seat][SLOT[seat][p]] |= 1u << p;
        }
}

/* FNV-1a over each seat's hexes, slots, and points. */
static uint64_t add_up(uint64_t sum, int byte)
{
    return (sum ^ (uint8_t)byte) * 0x100000001B3u;
}

static uint64_t add_board(uint64_t sum, const Board *b)
{
    for (int h = 0; h < HEXES; h++)
        sum = add_up(sum, b->hex[h]);
    for (int k = 0; k < 3; k++)
        sum = add_up(sum, b->filled >> 8 * k & 255);
    for (int n = 0; n < ROUNDS; n++) {
        sum = add_up(sum, b->moments[n]);
        sum = add_up(sum, b->threads[n]);
        sum = add_up(sum, b->core[n]);
    }
    return add_up(sum, b->aspired);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "vivid PLAYERS GAMES\n");
        return 2;
    }
    make_tables();
    Game g = {.players = atoi(argv[1])};
    uint32_t games = strtoul(argv[2], NULL, 10);
    Game *results = malloc(games * sizeof *results);
    for (uint32_t i = 0; i < games; i++) /* touch the memory before the clock runs, as the other side does */
        results[i] = g;
    clock_t start = clock();
    for (uint32_t key = 0; key < games; key++) {
        play(&g, key);
        results[key] = g;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    uint64_t sum = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < games; i++)
        for (int seat = 0; seat < g.players; seat++)
            sum = add_board(sum, &results[i].boards[seat]);
    printf("%llu %llu %.6f %016llx\n", (unsigned long long)g.moves, (unsigned long long)g.draws, seconds, (unsigned long long)sum);
    free(results);
    return 0;
}
