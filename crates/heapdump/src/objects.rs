//! The table of objects: addresses, where their records are, classes, sizes.

use crate::error::Problem;

/// All objects, numbered in the order of the file.
#[derive(Default)]
pub struct Objects {
    /// Addresses.
    pub ids: Vec<u64>,
    /// Where the record begins.
    pub at: Vec<u64>,
    /// Index of the class.
    pub class: Vec<u32>,
    /// First the length of an array, then bytes in the heap, in units of 8.
    pub size: Vec<u32>,
}

impl Objects {
    pub fn push(&mut self, id: u64, at: u64, class: u32, len: u32) -> Result<(), Problem> {
        if self.ids.len() >= u32::MAX as usize - 2 {
            return Err(Problem::TooMany("4 billion objects"));
        }
        self.ids.push(id);
        self.at.push(at);
        self.class.push(class);
        self.size.push(len);
        Ok(())
    }
    pub fn len(&self) -> usize {
        self.ids.len()
    }
    pub fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.at.shrink_to_fit();
        self.class.shrink_to_fit();
        self.size.shrink_to_fit();
    }
}

/// From addresses to numbers. It is needed while references are read, and goes then.
pub struct Index {
    /// Numbers in the order of addresses; nothing if that is the file's order.
    order: Option<Vec<u32>>,
    /// Of each stretch of addresses, the first place in that order.
    buckets: Vec<u32>,
    first: u64,
    shift: u32,
}

impl Index {
    /// The objects at one address, if there are such, are an error.
    pub fn new(objects: &Objects) -> Result<Index, u64> {
        let ids = &objects.ids;
        let order = match ids.is_sorted() {
            true => None,
            false => {
                let mut order: Vec<u32> = (0..ids.len() as u32).collect();
                order.sort_unstable_by_key(|&i| ids[i as usize]);
                Some(order)
            }
        };
        let mut index = Index {
            order,
            buckets: Vec::new(),
            first: 0,
            shift: 0,
        };
        let n = ids.len();
        let mut last = None;
        for place in 0..n {
            let id = ids[index.number(place)];
            if last == Some(id) {
                return Err(id);
            }
            last = Some(id);
        }
        let Some(last) = last else {
            return Ok(index);
        };
        index.first = ids[index.number(0)];
        let span = last - index.first;
        // some two objects in a bucket on average
        while (span >> index.shift) as usize > n / 2 {
            index.shift += 1;
        }
        let buckets = (span >> index.shift) as usize + 2;
        index.buckets.reserve_exact(buckets);
        for place in 0..n {
            let bucket = ((ids[index.number(place)] - index.first) >> index.shift) as usize;
            while index.buckets.len() <= bucket {
                index.buckets.push(place as u32);
            }
        }
        while index.buckets.len() < buckets {
            index.buckets.push(n as u32);
        }
        Ok(index)
    }
    /// Number of the object at that place in the order of addresses.
    #[inline]
    pub fn number(&self, place: usize) -> usize {
        match &self.order {
            Some(order) => order[place] as usize,
            None => place,
        }
    }
    /// Number of the object at an address.
    #[inline]
    pub fn find(&self, objects: &Objects, id: u64) -> Option<u32> {
        let bucket = (id.checked_sub(self.first)? >> self.shift) as usize;
        let from = *self.buckets.get(bucket)? as usize;
        let to = *self.buckets.get(bucket + 1)? as usize;
        let (mut low, mut high) = (from, to);
        while low < high {
            let mid = (low + high) / 2;
            let number = self.number(mid);
            let there = objects.ids[number];
            match there.cmp(&id) {
                std::cmp::Ordering::Equal => return Some(number as u32),
                std::cmp::Ordering::Less => low = mid + 1,
                std::cmp::Ordering::Greater => high = mid,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_their_addresses() {
        let mut objects = Objects::default();
        let ids = [800u64, 16, 24, 1 << 40, 8, 808];
        for id in ids {
            objects.push(id, 0, 0, 0).unwrap();
        }
        let index = Index::new(&objects).unwrap();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(index.find(&objects, id), Some(i as u32), "{id}");
        }
        for id in [0, 9, 32, u64::MAX] {
            assert_eq!(index.find(&objects, id), None, "{id}");
        }
        objects.push(24, 0, 0, 0).unwrap();
        assert_eq!(Index::new(&objects).err(), Some(24));
    }
}
