//! Numbers that stand for places in lists.

/// Gives types that are a number each (`struct NodeId(u32)`) a method `index`, which is the only way from the type to a
/// place in a list: a bare number could be meant for any list.
#[macro_export]
macro_rules! indices {
    ($($type:ty),+ $(,)?) => {
        $(impl $type {
            /// Its place in the list that it numbers.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })+
    };
}
